package org.trainyard.agents.heuristic.composed;

import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Las;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.agents.heuristic.classic.Srtf;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.order.ServiceQueues;
import org.trainyard.env.scheduling.placement.ConsolidatingPlacer;
import org.trainyard.env.scheduling.placement.FewestServers;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.scheduling.placement.ServerCost;
import org.trainyard.env.scheduling.preemption.PreemptionCandidates;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * An order, a placement preference and a patience, each a knob of {@link ComposedSettings}: the opponent a learned policy must be measured
 * against, once its knobs have been chosen on other episodes.
 *
 * <p>Jobs go in order; who does not fit, or would rather wait, is passed over. A job whose place would take more servers than it needs on an
 * empty cluster waits for a better one, up to its delay from when it last entered the queue. Preemptive orders push out running jobs of worse
 * rank when that lets the newcomer start on as few servers as its delay insists on.
 *
 * <p>Sources: waiting for locality is delay scheduling (M. Zaharia et al.: Delay scheduling: a simple technique for achieving locality and
 * fairness in cluster scheduling, EuroSys 2010), in units of the run time as our own; the orders' are those of {@link Fifo}, {@link Sjf},
 * {@link Srtf}, {@link Las}; predicted work is that of QSSF (Q. Hu et al., SC 2021). Ours: the rules of limit and share, which are given up
 * while nothing else runs, so nobody waits for ever. O(waiting jobs + cost of the placer per different demand).
 */
public final class ComposedScheduler implements Scheduler {
    private static final double NANOS = 1e9;

    private final ComposedSettings settings;
    private final WaitingJobs waiting;
    private final ConsolidatingPlacer placer;
    private final FewestServers fewest;
    private final InterferenceCost interference;
    private final PreemptionCandidates candidates;
    private final double margin;
    private final ServiceQueues queues;
    /** By kind of job: whether one of them was found not to fit on the fewest servers at this decision. */
    private boolean[] isApart = new boolean[16];
    /** By kind of job: whether nobody can be pushed out to make room for one of them on the fewest servers. */
    private boolean[] isHopeless = new boolean[16];

    /** By model, and by kind of job and whether it waits for a place: whether one of them would interfere too much. */
    private final IdentityHashMap<ModelProfile, BitSet> loud = new IdentityHashMap<>();

    private long askAgainNanos;
    private int longGpus;

    /** @param belief how much jobs are thought to disturb each other */
    public ComposedScheduler(ComposedSettings settings, Topology topology, InterferenceModel belief) {
        this.settings = settings;
        queues = new ServiceQueues(
                settings.queueGpuSeconds().stream().mapToLong(s -> s).toArray());
        Rank rank = rank(settings.order());
        waiting = new WaitingJobs(rank);
        candidates = new PreemptionCandidates(rank);
        margin = settings.order() == ComposedSettings.Order.SRTF ? settings.marginSeconds() : 0;
        boolean isWeighted = settings.placement() == ComposedSettings.Placement.LIFW;
        interference = new InterferenceCost(
                topology, belief, isWeighted ? SimView::predictedRemainingSeconds : (view, job) -> 1);
        placer = new ConsolidatingPlacer(cost(settings.placement()));
        fewest = new FewestServers(topology);
    }

    private Rank rank(ComposedSettings.Order order) {
        return switch (order) {
            case FIFO -> (view, job) -> job;
            case SJF -> SimView::predictedSeconds;
            case SPWF ->
                (view, job) ->
                        view.predictedSeconds(job) * Math.max(1, view.job(job).gpus());
            case LAS -> queues::of;
            case SRTF -> SimView::predictedRemainingSeconds;
        };
    }

    private ServerCost cost(ComposedSettings.Placement placement) {
        return switch (placement) {
            case BEST_FIT -> (view, job, server, available, workers, spans) -> available;
            case FIRST_FIT -> (view, job, server, available, workers, spans) -> server;
            case SPREAD -> (view, job, server, available, workers, spans) -> -available;
            case LIF, LIFW -> interference;
        };
    }

    @Override
    public Decision decide(SimView view) {
        waiting.update(view);
        Arrays.fill(isApart, false);
        Arrays.fill(isHopeless, false);
        loud.clear();
        askAgainNanos = Long.MAX_VALUE;
        longGpus = SimView.NONE;
        boolean anyWidth = settings.order().isPreemptive() || view.cluster().isShared();
        int most = anyWidth ? Integer.MAX_VALUE : view.cluster().free();
        for (int job = waiting.first(most); job != SimView.NONE; job = waiting.first(most)) {
            Decision decision = consider(view, job);
            if (decision != null) {
                return decision;
            }
        }
        return waitFor(view);
    }

    /** What to do with the job, or null when it was left out. */
    private @Nullable Decision consider(SimView view, int job) {
        JobSpec spec = view.job(job);
        if (!view.isWithinQuota(job, spec.gpus())) {
            waiting.refuse(view, job);
            return null;
        }
        if (isLong(view, job) && !mayBeLong(view, spec)) {
            waiting.passOver(view, job);
            return null;
        }
        boolean isPatient = isPatient(view, job, settings.delay());
        boolean waitsForQuiet = isPatient(view, job, settings.patience());
        if (waitsForQuiet && isKnownLoud(view, job, isPatient)) {
            passOver(view, job, settings.patience());
            return null;
        }
        Placement where = together(view, spec, job);
        if (where == null && !isPatient) {
            where = placer.place(view, spec);
            if (where == null && !settings.order().isPreemptive()) {
                waiting.refuse(view, job);
                return null;
            }
        }
        if (where == null) {
            return makeRoom(view, job, isPatient);
        }
        if (waitsForQuiet && interferes(view, spec, where)) {
            loud.computeIfAbsent(spec.model(), model -> new BitSet()).set(likeness(view, job, isPatient));
            passOver(view, job, settings.patience());
            return null;
        }
        return new Decision.Start(job, where);
    }

    /** Whether one of the same model and demand, as patient, was found to interfere where it would go, and so would this one. */
    private boolean isKnownLoud(SimView view, int job, boolean isPatient) {
        BitSet found = loud.get(view.job(job).model());
        boolean isOwn = settings.placement() == ComposedSettings.Placement.LIFW;
        return found != null && !isOwn && found.get(likeness(view, job, isPatient));
    }

    private int likeness(SimView view, int job, boolean isPatient) {
        return 2 * waiting.kind(view, job) + (isPatient ? 1 : 0);
    }

    private @Nullable Placement together(SimView view, JobSpec spec, int job) {
        int kind = waiting.kind(view, job);
        if (kind >= isApart.length) {
            isApart = Arrays.copyOf(isApart, 2 * kind);
            isHopeless = Arrays.copyOf(isHopeless, 2 * kind);
        }
        Placement where = isApart[kind] ? null : placer.place(view, spec, fewest.of(spec.demand()));
        isApart[kind] = where == null;
        return where;
    }

    /** Pushes somebody out for the job, or leaves it out: with all its like when what holds for it holds for those of worse rank too. */
    private @Nullable Decision makeRoom(SimView view, int job, boolean isPatient) {
        JobSpec spec = view.job(job);
        int kind = waiting.kind(view, job);
        boolean waitsForQuiet =
                settings.limit() < Double.POSITIVE_INFINITY && isPatient(view, job, settings.patience());
        boolean mayPush = settings.order().isPreemptive() && spec.demand().isPlain() && !waitsForQuiet;
        if (mayPush && !(isPatient && isHopeless[kind])) {
            int servers = isPatient ? fewest.of(spec.demand()) : Integer.MAX_VALUE;
            int victim = candidates.victim(view, waiting.rank(job) + margin, spec.gpus(), servers);
            if (victim != SimView.NONE) {
                return new Decision.Preempt(victim);
            }
            isHopeless[kind] = true;
        }
        boolean holdsForAll = !settings.order().isPreemptive() || !spec.demand().isPlain() || mayPush;
        if (holdsForAll && (!isPatient || settings.delay() == Double.POSITIVE_INFINITY)) {
            waiting.refuse(view, job);
        } else {
            passOver(view, job, isPatient ? settings.delay() : 0);
        }
        return null;
    }

    /** Leaves the job out until it has waited so many predicted run times at the latest. */
    private void passOver(SimView view, int job, double runs) {
        double nanos = runs * view.predictedSeconds(job) * NANOS;
        if (runs > 0 && nanos < Long.MAX_VALUE / 4.0) {
            long until = Math.max(view.nowNanos() + 1, view.queuedSinceNanos(job) + (long) Math.ceil(nanos));
            askAgainNanos = Math.min(askAgainNanos, until);
        }
        waiting.passOver(view, job);
    }

    /** Whether the job has waited less than so many of its predicted run times, and somebody runs whom it could wait for. */
    private static boolean isPatient(SimView view, int job, double runs) {
        return view.runningCount() > 0
                && view.nowNanos() - view.queuedSinceNanos(job) < runs * view.predictedSeconds(job) * NANOS;
    }

    private boolean interferes(SimView view, JobSpec spec, Placement where) {
        return settings.limit() < Double.POSITIVE_INFINITY && 1 + interference.of(view, spec, where) > settings.limit();
    }

    private boolean isLong(SimView view, int job) {
        return settings.share() < 1 && view.predictedSeconds(job) > settings.longHours() * 3600;
    }

    private boolean mayBeLong(SimView view, JobSpec spec) {
        if (longGpus == SimView.NONE) {
            longGpus = 0;
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                longGpus += isLong(view, job) ? view.placement(job).gpuCount() : 0;
            }
        }
        return longGpus == 0
                || longGpus + spec.gpus() <= settings.share() * view.topology().gpus();
    }

    private Decision waitFor(SimView view) {
        long until = askAgainNanos;
        if (settings.order() == ComposedSettings.Order.LAS) {
            int first = waiting.lowest();
            if (first != SimView.NONE) {
                until = Math.min(until, queues.nextSinkingNanos(view, waiting.rank(first)));
            }
        }
        return until == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(until);
    }
}
