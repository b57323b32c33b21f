package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.reference.ReferenceSettings;
import org.trainyard.env.scheduling.placement.FirstFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.DecisionPlan;
import org.trainyard.env.scheduling.queue.LiveJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Gavel's rounds: every few minutes the jobs furthest below the shares that a policy gave them get the cluster until the next round.
 *
 * <p>A job's claim is its share over the time it has run since accounts were last cleared, which is at most every 1,000 s. In order of
 * claims whoever still fits runs, and who does not is passed over. Who goes on running stays where it is. GPUs of a job that ends stay
 * idle until the round is over, and newcomers wait for that too; with nobody left running a round is over.
 *
 * <p>Source: D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep learning workloads, OSDI 2020, section 5, in the
 * details of the artifact of P. Zheng et al.: Shockwave: fair and efficient cluster scheduling for dynamic adaptation in machine learning,
 * NSDI 2023. Our deviations: (1) a round lasts 120 s (360 s for {@code gavel}), not as long as whole steps fill it; (2) where nobody could run
 * before accounts are cleared, they are cleared at once. O(jobs log jobs) per round beside the policy.
 */
public final class GavelRounds implements Scheduler {
    /** When shares are made anew after jobs have come or gone. */
    public enum Renewal {
        /** When accounts are cleared; newcomers have no share before, and do not run: the artifact's simulator. */
        WITH_ACCOUNTS,
        /** At the next round: the artifact's scheduler on a physical cluster. */
        AT_ONCE
    }

    private static final long SECOND = 1_000_000_000L;
    /** Of Shockwave's artifact. */
    private static final long SHOCKWAVE_ROUND_SECONDS = 120;

    private static final long ACCOUNTS_NANOS = 1_000 * SECOND;
    /** Every job's account starts with half a round. */
    private static final double OPENING_SECONDS = 60;

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
    private boolean isStale = true;
    private boolean isNew;
    /** By job: its share, or NaN before it has one. */
    private double[] share = new double[0];

    private double[] runAtClearing = new double[0];
    private double[] deficit = new double[0];
    private double[] claim = new double[0];

    /** As in Shockwave's artifact. */
    public GavelRounds(AllocationPolicy policy, Renewal renewal) {
        this(
                policy,
                renewal,
                SHOCKWAVE_ROUND_SECONDS,
                new AdaptiveTrainingRuns(ReferenceSettings.SHOCKWAVE_START_SECONDS),
                new FirstFit());
    }

    /** @param roundSeconds how long a round lasts, seconds */
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
        isStale |= view.journalSize() > 0 && jobsCameOrWent(view);
        live.update(view, job -> share[job] = Double.NaN);
        if (live.list.isEmpty()) {
            return;
        }
        share(view);
        if (!choose(view)) {
            clearAccounts(view);
            makeShares(view);
            choose(view);
        }
        handOut(view);
        roundEndNanos = view.nowNanos() + roundNanos;
    }

    private void reserve(int jobs) {
        if (jobs > share.length) {
            share = Arrays.copyOf(share, 2 * jobs);
            runAtClearing = Arrays.copyOf(runAtClearing, 2 * jobs);
            deficit = Arrays.copyOf(deficit, 2 * jobs);
            claim = Arrays.copyOf(claim, 2 * jobs);
        }
    }

    private boolean jobsCameOrWent(SimView view) {
        boolean changed = false;
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
        if (atOnce && isStale) {
            makeShares(view);
        }
        if (isDue && (atOnce ? isNew : isStale)) {
            clearAccounts(view);
            isNew = false;
            if (!atOnce) {
                makeShares(view);
            }
        }
    }

    private void makeShares(SimView view) {
        double[] shares = policy.of(AllocationProblem.of(view, live.list, runs));
        for (int i = 0; i < shares.length; i++) {
            share[live.list.getInt(i)] = shares[i];
        }
        isStale = false;
        isNew = true;
    }

    private void clearAccounts(SimView view) {
        double seconds = (view.nowNanos() - clearedNanos) / 1e9;
        for (int i = 0; i < live.list.size(); i++) {
            int job = live.list.getInt(i);
            double deserved = Double.isNaN(share[job]) ? 0 : share[job] * seconds;
            deficit[job] += deserved - ranSeconds(view, job);
            runAtClearing[job] = view.progressSeconds(job);
        }
        clearedNanos = view.nowNanos();
    }

    private double ranSeconds(SimView view, int job) {
        return view.progressSeconds(job) - runAtClearing[job];
    }

    /**
     * Chooses who runs, in order of claims, and says whether anybody does; who has no share yet keeps GPUs free, as in the artifact,
     * but does not run.
     */
    private boolean choose(SimView view) {
        int[] order = live.list.toIntArray();
        for (int job : order) {
            claim[job] = Double.isNaN(share[job]) ? 0 : share[job] / (OPENING_SECONDS + ranSeconds(view, job));
        }
        IntArrays.mergeSort(order, this::compare);
        chosen.clear();
        int left = view.topology().gpus();
        for (int job : order) {
            boolean fits = view.job(job).gpus() <= left;
            left -= fits ? view.job(job).gpus() : 0;
            if (fits && !Double.isNaN(share[job])) {
                chosen.add(job);
            }
        }
        return !chosen.isEmpty();
    }

    private void handOut(SimView view) {
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
        int byClaim = Double.compare(claim[b], claim[a]);
        int byDeficit = byClaim != 0 ? byClaim : Double.compare(deficit[b], deficit[a]);
        return byDeficit != 0 ? byDeficit : Double.compare(orZero(share[b]), orZero(share[a]));
    }

    private static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }
}
