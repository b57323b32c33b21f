package org.trainyard.agents.heuristic.sjfbco;

import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.Invalid;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Carries out the plans of {@link BatchPlanner} (SJF-BCO, or one of its baselines): every pending job has its GPUs
 * assigned in advance, and starts when it is first on all of them and all are free.
 *
 * <p>Source: M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters
 * with communication contention, MobiHoc 2022, for one batch that is present from the start. The following is ours, for
 * jobs that arrive one by one:
 *
 * <ol>
 *   <li>The first event {@code replanSeconds} after the last plan makes a new plan; jobs that arrive before are
 *       appended to the plan, by its kappa and without a cap. Running jobs are booked for their predicted remaining
 *       times. With an infinite {@code replanSeconds}, and all jobs present at once, the plan is the paper's.
 *   <li>At most {@code window} jobs are planned, fewest GPUs first; the others wait for the next plan.
 *   <li>A job whose virtual cluster has used up its quota keeps no GPU from jobs planned behind it.
 *   <li>Jobs that demand other than whole GPUs of any type have no plan: {@link BestFit} places them wherever there is
 *       room, first submitted first.
 *   <li>GPUs out of order are not planned for; a failure or a repair makes a new plan.
 * </ol>
 */
public final class SjfBcoPlan implements Scheduler {
    /**
     * The constants of the scheduler.
     *
     * @param planner the planner's own
     * @param u divisor of predicted times, the factor by which they may be too long, at least 1
     * @param replanSeconds time from plan to plan, seconds, 0 or more; infinite for one plan
     * @param window jobs planned at once, at least 1
     */
    public record Settings(BatchPlanner.Settings planner, double u, double replanSeconds, int window) {
        /** A plan an hour, for at most 256 jobs. */
        public static final Settings DEFAULT = new Settings(BatchPlanner.Settings.DEFAULT, 1, 3600, 256);

        public Settings {
            Invalid.when(!(u >= 1) || Double.isInfinite(u), "u (%s) must be finite and at least 1", u);
            Invalid.when(!(replanSeconds >= 0), "time between plans (%s s) must be 0 or more", replanSeconds);
            Invalid.when(window < 1, "window (%d jobs) must be at least 1", window);
        }
    }

    private static final BatchPlan NOTHING = new BatchPlan(List.of(), 0, Double.POSITIVE_INFINITY, 0);

    private final Settings settings;
    private final BatchPlanner planner;
    private final Placer bestFit = new BestFit();
    private final IntLinkedOpenHashSet waiting = new IntLinkedOpenHashSet();
    private final IntLinkedOpenHashSet unplannable = new IntLinkedOpenHashSet();
    private final IntOpenHashSet planned = new IntOpenHashSet();
    private BatchPlan plan = NOTHING;
    private long plannedNanos;
    private boolean isOutdated = true;
    private int journalRead;
    /** By GPU: the last pass over the plan in which it was reserved for a pending job. */
    private long[] reservedIn = new long[0];

    private long passes;

    /** @param seed root seed; {@link BatchPlanner.Policy#RAND} draws from its stream {@code sjf-bco} */
    public SjfBcoPlan(BatchPlanner.Policy policy, Settings settings, long seed) {
        this.settings = settings;
        planner = new BatchPlanner(policy, settings.planner(), RandomStreams.stream(seed, "sjf-bco"));
    }

    @Override
    public Decision decide(SimView view) {
        readJournal(view);
        if (isPlanDue(view)) {
            makePlan(view);
        } else if (planned.size() < Math.min(settings.window(), waiting.size())) {
            extendPlan(view);
        }
        Decision start = startPlanned(view);
        return start == null ? startUnplannable(view) : start;
    }

    private void readJournal(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case ARRIVE, PREEMPT, KILL -> (view.job(job).demand().isPlain() ? waiting : unplannable).add(job);
                case START -> {
                    waiting.remove(job);
                    unplannable.remove(job);
                    planned.remove(job);
                }
                case DOWN, UP -> isOutdated = true;
                case FINISH, FORWARD, RESIZE, REJECT, FREEZE, HOST_CPU, HOST_MEMORY, HOLD, TIMEOUT -> {}
            }
        }
    }

    private boolean isPlanDue(SimView view) {
        return !waiting.isEmpty()
                && (isOutdated
                        || planned.isEmpty()
                        || (view.nowNanos() - plannedNanos) / 1e9 >= Math.max(settings.replanSeconds(), 1e-9));
    }

    private void makePlan(SimView view) {
        Bookings bookings = bookings(view);
        List<Gang> gangs = new ArrayList<>();
        for (int job : waiting) {
            // A job wider than the usable GPUs waits for repairs.
            if (view.job(job).gpus() <= bookings.usable()) {
                gangs.add(gang(view, job));
            }
        }
        gangs.sort(Comparator.comparingInt(Gang::gpus));
        adopt(planner.plan(gangs.subList(0, Math.min(settings.window(), gangs.size())), bookings));
        plannedNanos = view.nowNanos();
        isOutdated = false;
    }

    /** Appends new jobs to the pending part of the plan. */
    private void extendPlan(SimView view) {
        Bookings bookings = bookings(view);
        List<Gang> arrivals = new ArrayList<>();
        for (int job : waiting) {
            if (!planned.contains(job)
                    && planned.size() + arrivals.size() < settings.window()
                    && view.job(job).gpus() <= bookings.usable()) {
                arrivals.add(gang(view, job));
            }
        }
        if (!arrivals.isEmpty()) {
            List<BatchPlan.Placed> left = plan.gangs().stream()
                    .filter(placed -> planned.contains(placed.gang().job()))
                    .toList();
            BatchPlan rest = new BatchPlan(left, plan.makespanSeconds(), plan.capSeconds(), plan.kappa());
            adopt(planner.append(rest, arrivals, bookings));
        }
    }

    private void adopt(BatchPlan next) {
        plan = next;
        planned.clear();
        next.gangs().forEach(placed -> planned.add(placed.gang().job()));
    }

    private Gang gang(SimView view, int job) {
        return new Gang(job, view.job(job).gpus(), view.predictedSeconds(job) / settings.u());
    }

    private Bookings bookings(SimView view) {
        double[] before = new double[view.topology().gpus()];
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            Placement placement = view.placement(job);
            double left = view.predictedRemainingSeconds(job) / settings.u();
            for (int i = 0; i < placement.gpuCount(); i++) {
                before[placement.gpu(i)] = Math.max(before[placement.gpu(i)], left);
            }
        }
        for (int gpu = 0; gpu < before.length; gpu++) {
            if (view.cluster().owner(gpu) == Cluster.DOWN) {
                before[gpu] = Double.POSITIVE_INFINITY;
            }
        }
        return new Bookings(view.topology(), before);
    }

    /**
     * Starts the first job of the plan whose GPUs are all free and not reserved for a job before it. O(GPUs of the
     * plan).
     */
    private @Nullable Decision startPlanned(SimView view) {
        if (reservedIn.length == 0) {
            reservedIn = new long[view.topology().gpus()];
        }
        passes++;
        for (BatchPlan.Placed placed : plan.gangs()) {
            int job = placed.gang().job();
            if (planned.contains(job) && view.isWithinQuota(job, placed.gang().gpus())) {
                boolean isFree = true;
                for (int gpu : placed.gpus()) {
                    isFree &= view.cluster().owner(gpu) == Cluster.FREE && reservedIn[gpu] != passes;
                }
                if (isFree) {
                    return new Decision.Start(job, Placement.of(view.topology(), placed.gpus()));
                }
                for (int gpu : placed.gpus()) {
                    reservedIn[gpu] = passes;
                }
            }
        }
        return null;
    }

    private Decision startUnplannable(SimView view) {
        Set<Demand> refused = new HashSet<>();
        for (int job : unplannable) {
            JobSpec spec = view.job(job);
            if (view.isWithinQuota(job, spec.gpus()) && !refused.contains(spec.demand())) {
                Placement where = bestFit.place(view, spec);
                if (where != null) {
                    return new Decision.Start(job, where);
                }
                refused.add(spec.demand());
            }
        }
        return Decision.WAIT;
    }
}
