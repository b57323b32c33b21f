package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.agents.heuristic.queue.DecisionPlan;
import org.trainyard.agents.heuristic.queue.LiveJobs;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Gavel's round-based scheduling: every few minutes the jobs furthest below the shares that a policy computed for them
 * get the cluster until the next round.
 *
 * <p>The priority of a job is its share over the time it has run since accounts were last cleared, which is at most
 * every 1,000 s. In order of priorities every job that still fits runs, and jobs that do not fit are skipped. A job
 * that continues to run stays on its GPUs. GPUs of a job that ends stay idle until the round is over, and new jobs wait
 * until then too; when no job is running a round is over.
 *
 * <p>Source: D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI
 * 2020, section 5, in the details of the artifact of P. Zheng et al.: Shockwave: fair and efficient cluster scheduling
 * for dynamic adaptation in machine learning, NSDI 2023. Our deviations: (1) a round lasts 120 s (360 s for
 * {@code gavel}), not the duration of whole steps; (2) where no job could run before accounts are cleared, they are
 * cleared at once. O(jobs log jobs) per round besides the policy.
 */
public final class GavelRounds implements Scheduler {
    /** When shares are recomputed after jobs have arrived or finished. */
    public enum Renewal {
        /** When accounts are cleared; new jobs have no share before, and do not run: the artifact's simulator. */
        WITH_ACCOUNTS,
        /** At the next round: the artifact's scheduler on a physical cluster. */
        AT_ONCE
    }

    /** Start-up time that the Shockwave simulator charges a job that starts or resumes. */
    public static final double SHOCKWAVE_START_SECONDS = 20;

    private static final long SECOND = 1_000_000_000L;
    /** The round of Shockwave's artifact. */
    private static final long SHOCKWAVE_ROUND_SECONDS = 120;

    private static final long ACCOUNTS_NANOS = 1_000 * SECOND;
    /** Initial run time on every job's account: half a round. */
    private static final double INITIAL_SECONDS = 60;

    private final AllocationPolicy policy;
    private final Renewal renewal;
    private final long roundNanos;
    private final AdaptiveTrainingRuns runs;
    private final LiveJobs live = new LiveJobs();
    private final IntArrayList chosen = new IntArrayList();
    private final DecisionPlan plan;
    private long roundEndNanos;
    private long clearedNanos;
    private int journalRead;
    private boolean areSharesStale = true;
    private boolean areSharesNew;
    /** By job: its share, or NaN before it has one. */
    private double[] share = new double[0];

    private double[] runAtClearing = new double[0];
    private double[] deficit = new double[0];
    private double[] priority = new double[0];

    /** Rounds with the length and the start-up time of Shockwave's artifact. */
    public GavelRounds(AllocationPolicy policy, Renewal renewal) {
        this(
                policy,
                renewal,
                SHOCKWAVE_ROUND_SECONDS,
                new AdaptiveTrainingRuns(SHOCKWAVE_START_SECONDS),
                new FirstFit());
    }

    /** @param roundSeconds length of a round, seconds */
    public GavelRounds(
            AllocationPolicy policy, Renewal renewal, long roundSeconds, AdaptiveTrainingRuns runs, Placer placer) {
        this.policy = policy;
        this.renewal = renewal;
        this.runs = runs;
        roundNanos = roundSeconds * SECOND;
        plan = new DecisionPlan(placer);
    }

    @Override
    public Decision decide(SimView view) {
        @Nullable Decision decision = plan.decide(view, this::plan);
        if (decision != null) {
            return decision;
        }
        return view.runningCount() == 0 ? Decision.WAIT : Decision.waitUntil(roundEndNanos);
    }

    private void plan(SimView view) {
        if (view.runningCount() > 0 && view.nowNanos() < roundEndNanos) {
            return;
        }
        reserve(view.arrived());
        areSharesStale |= view.journalSize() > 0 && jobsArrivedOrFinished(view);
        live.update(view, job -> share[job] = Double.NaN);
        if (live.list.isEmpty()) {
            return;
        }
        share(view);
        if (!choose(view)) {
            clearAccounts(view);
            computeShares(view);
            choose(view);
        }
        planDecisions(view);
        roundEndNanos = view.nowNanos() + roundNanos;
    }

    private void reserve(int jobs) {
        if (jobs > share.length) {
            share = Arrays.copyOf(share, 2 * jobs);
            runAtClearing = Arrays.copyOf(runAtClearing, 2 * jobs);
            deficit = Arrays.copyOf(deficit, 2 * jobs);
            priority = Arrays.copyOf(priority, 2 * jobs);
        }
    }

    private boolean jobsArrivedOrFinished(SimView view) {
        boolean changed = journalRead < view.journalStart();
        journalRead = Math.max(journalRead, view.journalStart());
        for (; journalRead < view.journalSize(); journalRead++) {
            changed |= switch (view.journalKind(journalRead)) {
                case ARRIVE, FINISH -> true;
                default -> false;
            };
        }
        return changed;
    }

    private void share(SimView view) {
        boolean isDue = clearedNanos == 0 || view.nowNanos() - clearedNanos >= ACCOUNTS_NANOS;
        boolean atOnce = renewal == Renewal.AT_ONCE;
        if (atOnce && areSharesStale) {
            computeShares(view);
        }
        if (isDue && (atOnce ? areSharesNew : areSharesStale)) {
            clearAccounts(view);
            areSharesNew = false;
            if (!atOnce) {
                computeShares(view);
            }
        }
    }

    private void computeShares(SimView view) {
        double[] shares = policy.of(AllocationProblem.of(view, live.list, runs));
        for (int i = 0; i < shares.length; i++) {
            share[live.list.getInt(i)] = shares[i];
        }
        areSharesStale = false;
        areSharesNew = true;
    }

    private void clearAccounts(SimView view) {
        double seconds = (view.nowNanos() - clearedNanos) / 1e9;
        for (int i = 0; i < live.list.size(); i++) {
            int job = live.list.getInt(i);
            double entitledSeconds = Double.isNaN(share[job]) ? 0 : share[job] * seconds;
            deficit[job] += entitledSeconds - runSeconds(view, job);
            runAtClearing[job] = view.progressSeconds(job);
        }
        clearedNanos = view.nowNanos();
    }

    private double runSeconds(SimView view, int job) {
        return view.progressSeconds(job) - runAtClearing[job];
    }

    /**
     * Chooses the jobs that run, in order of priorities, and returns whether there are any. A job without a share
     * reserves GPUs, as in the artifact, but does not run.
     */
    private boolean choose(SimView view) {
        int[] order = live.list.toIntArray();
        for (int job : order) {
            priority[job] = Double.isNaN(share[job]) ? 0 : share[job] / (INITIAL_SECONDS + runSeconds(view, job));
        }
        IntArrays.mergeSort(order, this::compare);
        chosen.clear();
        int freeGpus = view.topology().gpus();
        for (int job : order) {
            boolean fits = view.job(job).gpus() <= freeGpus;
            freeGpus -= fits ? view.job(job).gpus() : 0;
            if (fits && !Double.isNaN(share[job])) {
                chosen.add(job);
            }
        }
        return !chosen.isEmpty();
    }

    private void planDecisions(SimView view) {
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            if (!chosen.contains(job)) {
                plan.preempt(job);
            }
        }
        for (int i = 0; i < chosen.size(); i++) {
            if (view.state(chosen.getInt(i)) != JobState.RUNNING) {
                plan.start(chosen.getInt(i));
            }
        }
    }

    private int compare(int a, int b) {
        int byPriority = Double.compare(priority[b], priority[a]);
        int byDeficit = byPriority != 0 ? byPriority : Double.compare(deficit[b], deficit[a]);
        return byDeficit != 0 ? byDeficit : Double.compare(orZero(share[b]), orZero(share[a]));
    }

    private static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }
}
