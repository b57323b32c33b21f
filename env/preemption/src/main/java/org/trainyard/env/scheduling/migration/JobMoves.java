package org.trainyard.env.scheduling.migration;

import java.util.HashSet;
import java.util.Set;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.interruption.MigrationSearch;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Finds running jobs that would run faster on free GPUs: on faster ones, on fewer servers, over a wider ring, or with
 * other neighbours.
 *
 * <p>At every moment the jobs that lose most time where they are come into question: remaining time times the excess of
 * the predicted slowdown over the least possible. Of the sets of {@link GangCandidates} for such a job, the one of
 * least predicted slowdown counts, if it is less than the present one by more than {@value #LEAST_GAIN} of it. Moving
 * running jobs to faster GPUs is as in D. Narayanan et al.: Heterogeneity-aware cluster scheduling policies for deep
 * learning workloads (Gavel), OSDI 2020; ours: one job at a time, no rounds.
 *
 * <p>On a cluster whose GPUs are shared, jobs for a part of a GPU come into question that run slower than alone, as
 * measured, for another GPU. What they lose is the slowdown of both sharers, each beyond 1, and another GPU counts with
 * slowdown and harm: separating two jobs helps both. Both places are compared as predicted. A measured loss beside a
 * predicted one has every other place look better wherever the belief misses something: jobs moved without end from
 * slowdowns that were everywhere.
 */
public final class JobMoves implements MigrationSearch {
    private static final double LEAST_GAIN = 0.03;
    /** Covers the rounding of a computed limit on slowdowns. */
    private static final double ROUNDING = 1 + 1e-9;

    private final RunningSlowdowns slowdowns;
    private final LosingJobs losing;
    private final OwnSlowdownBound bound;
    private final int widest;
    private final SharerLosses sharers;
    private final Rank remainingSeconds;
    private final int most;
    private final int[] jobs;
    private final double[] losses;
    /** The jobs that have lost most at an earlier moment. */
    private final int[] before;

    private int countBefore;
    /** The jobs that have moved at {@link #movedNanos}: none moves twice at one instant. */
    private final Set<Integer> moved = new HashSet<>();

    private long movedNanos = -1;
    private int count;
    private double now;
    private double there;

    /**
     * @param belief the interference model of the scheduler, not that of the simulator
     * @param remainingSeconds estimated remaining time of a job at full speed, seconds
     * @param most jobs that come into question at a moment
     * @param choice that of the sets to which jobs move
     */
    public JobMoves(Topology topology, InterferenceModel belief, Rank remainingSeconds, int most, SetChoice choice) {
        slowdowns = new RunningSlowdowns(topology, belief, choice);
        losing = new LosingJobs(slowdowns, remainingSeconds, LEAST_GAIN);
        bound = new OwnSlowdownBound(topology, belief);
        widest = topology.widestServer();
        sharers = new SharerLosses(belief, remainingSeconds);
        this.remainingSeconds = remainingSeconds;
        this.most = most;
        jobs = new int[most];
        losses = new double[most];
        before = new int[most];
    }

    /**
     * Finds the jobs that lose most, of those for which enough GPUs are free; returns their number. O(jobs that lose
     * time), O(running jobs) on a cluster whose GPUs are shared.
     */
    @Override
    public int find(SimView view) {
        count = 0;
        int free = view.cluster().free();
        if (movedNanos != view.nowNanos()) {
            moved.clear();
        }
        if (view.cluster().isShared()) {
            findSharers(view);
            return count;
        }
        if (free == 0) {
            return 0;
        }
        losing.update(view);
        // The jobs that lost most before mostly still do; then most others lose less for certain.
        for (int i = 0; i < countBefore; i++) {
            int at = losing.placeOf(before[i]);
            if (at >= 0 && losing.gpus(at) <= free) {
                consider(view, at);
            }
        }
        int considered = count;
        System.arraycopy(jobs, 0, before, 0, count);
        for (int at = 0; at < losing.size(); at++) {
            boolean mayCount = losing.gpus(at) <= free
                    && (count < most || losing.most(view, at) >= losses[most - 1])
                    && !isAmong(before, considered, losing.job(at));
            if (mayCount) {
                consider(view, at);
            }
        }
        countBefore = count;
        System.arraycopy(jobs, 0, before, 0, count);
        return count;
    }

    private void consider(SimView view, int at) {
        if (!moved.contains(losing.job(at)) && view.mayMigrate(losing.job(at))) {
            insert(losing.job(at), losing.loss(view, at));
        }
    }

    private static boolean isAmong(int[] some, int size, int job) {
        for (int i = 0; i < size; i++) {
            if (some[i] == job) {
                return true;
            }
        }
        return false;
    }

    private void findSharers(SimView view) {
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            if (isSharer(view, job) && !moved.contains(job) && view.mayMigrate(job)) {
                // Most jobs hold their GPU alone; a job that is not slowed down has no reason to move for its own sake.
                double excess = sharers.measured(view, job, LEAST_GAIN);
                if (excess > LEAST_GAIN) {
                    insert(job, excess * remainingSeconds.of(view, job));
                }
            }
        }
    }

    private static boolean isSharer(SimView view, int job) {
        int gpu = view.placement(job).gpu(0);
        return view.job(job).gpus() == 1 && view.cluster().owner(gpu) == Cluster.SHARED;
    }

    /** Inserts a job behind those that lose more; of equal losses that of the job that has run longer goes first. */
    private void insert(int job, double loss) {
        if (count == most && !isBefore(job, loss, most - 1)) {
            return;
        }
        int at = count == most ? most - 1 : count++;
        while (at > 0 && isBefore(job, loss, at - 1)) {
            jobs[at] = jobs[at - 1];
            losses[at] = losses[at - 1];
            at--;
        }
        jobs[at] = job;
        losses[at] = loss;
    }

    private boolean isBefore(int job, double loss, int at) {
        return loss > losses[at] || (loss == losses[at] && losing.isEarlier(job, jobs[at]));
    }

    @Override
    public void move(SimView view, int job) {
        movedNanos = view.nowNanos();
        moved.add(job);
    }

    @Override
    public int job(int i) {
        return jobs[i];
    }

    @Override
    public int betterSet(SimView view, int job, GangCandidates sets, double leastSeconds) {
        int set = findBetterSet(view, job, sets, leastSeconds);
        return set != SimView.NONE && savedSeconds(view, job) >= leastSeconds ? set : SimView.NONE;
    }

    /** Whether no server and no set of servers can have so low a slowdown, by bounds that hold for whole GPUs. */
    private boolean isNoneBelow(SimView view, int job, double limit) {
        JobSpec spec = view.job(job);
        return spec.demand().isPlain()
                && (spec.gpus() == 1 || stretchOfSeveral(view, spec) >= limit)
                && (spec.gpus() > widest || bound.isNoneBelow(view, job, limit));
    }

    /** The least slowdown by the network on several servers: in one rack only where one has as many free GPUs. */
    private double stretchOfSeveral(SimView view, JobSpec job) {
        double least = slowdowns.stretch(job, 2, 2);
        for (int rack = 0; rack < view.topology().racks(); rack++) {
            if (view.cluster().freeIn(rack) >= job.gpus()) {
                return Math.min(least, slowdowns.stretch(job, 2, 1));
            }
        }
        return least;
    }

    /** @param leastSeconds a set that saves less time may be left out */
    private int findBetterSet(SimView view, int job, GangCandidates sets, double leastSeconds) {
        boolean isSharer = view.cluster().isShared();
        now = isSharer ? 1 + sharers.predicted(view, job) : slowdowns.of(view, job);
        there = (1 - LEAST_GAIN) * now;
        int best = SimView.NONE;
        double mostThere = leastSeconds > 0 ? ROUNDING * (now - leastSeconds / remainingSeconds.of(view, job)) : there;
        if (!isSharer && isNoneBelow(view, job, Math.min(there, mostThere))) {
            return best;
        }
        int found = sets.find(view, job);
        for (int set = 0; set < found; set++) {
            if (isSharer && sets.isOnGpuOf(view, job, set)) {
                continue;
            }
            double slowdown = isSharer
                    ? 1 + sets.cost(set) - sets.fragmentation(view, set)
                    : sets.own(set)
                            * sets.ring(set)
                            * slowdowns.stretch(view.job(job), sets.servers(set), sets.racks(set));
            if (slowdown < there) {
                there = slowdown;
                best = set;
            }
        }
        return best;
    }

    @Override
    public double speedUp() {
        return now / there;
    }

    @Override
    public double savedSeconds(SimView view, int job) {
        return remainingSeconds.of(view, job) * (now - there);
    }
}
