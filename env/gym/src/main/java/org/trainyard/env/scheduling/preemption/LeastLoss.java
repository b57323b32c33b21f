package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.order.RemainingBound;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.ServerChanges;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * A lower bound, by server, on the cost of the victims of a {@link PreemptionPlanner}, with which it passes over
 * servers that cannot be the cheapest: victims that free so many GPUs lose at least that many times the least loss
 * per GPU, and at least the least loss. A few numbers a server, made anew when its jobs change or have run a tenth
 * longer; O(servers / {@value #BLOCK}) per event besides.
 */
final class LeastLoss {
    /** So that rounding never lifts a bound above a cost. */
    private static final double SLACK = 1 - 1e-12;
    /** Servers whose bounds are looked through together when one of them no longer holds. */
    private static final int BLOCK = 32;

    private final SimView view;
    private final int from;
    private final RemainingBound bound;
    private final VictimTimes victims;
    private final ClearableServers clearable;
    private final DisplacedJobs displaced;
    private final DrainBound drain;
    private final MigrationTargets targets;
    private final int widest;
    /**
     * By server of the range, the longest remaining time that a job of it may have, and the most remaining time
     * times GPUs on the server.
     */
    private final double[] longest;

    private final double[] mostWork;
    /**
     * By server of the range, the longest remaining time and the most remaining time times GPUs, where a job counts
     * by its whole GPUs: remaining time times its GPUs for each one on the server, and remaining time times its
     * GPUs.
     */
    private final double[] longestShare;

    private final double[] mostShareWork;
    /**
     * By server and number of GPUs, the same of the jobs on this server alone with at most so many, a migration
     * costing the restart at least.
     */
    private final double[] longestMovable;

    private final double[] mostWorkMovable;
    private final ServerChanges.Cursor changes = new ServerChanges.Cursor();
    /**
     * By server, the last instant for which these hold, negative when its jobs have changed; and the first of these
     * in each block of servers.
     */
    private final long[] untilNanos;

    private final long[] blockUntilNanos;
    /** The servers that were read since they were asked for last, by their places in the range. */
    private final IntArrayList readLately = new IntArrayList();

    private final boolean[] isReadLately;
    private int corrections;
    private long bounds;
    /** Free GPUs on the server with most of them. */
    private int largestFree;

    LeastLoss(SimView view, int from, int to, Rank remainingSeconds, PreemptionCharge charge) {
        this.view = view;
        this.from = from;
        bound = new RemainingBound(remainingSeconds);
        victims = new VictimTimes(view, from, to, remainingSeconds, charge);
        clearable = new ClearableServers(view, from, to);
        displaced = new DisplacedJobs(view, from, to, victims, clearable);
        targets = new MigrationTargets(view, victims);
        widest = view.topology().widestServer();
        drain = new DrainBound(to - from, widest);
        longest = new double[to - from];
        mostWork = new double[to - from];
        longestShare = new double[to - from];
        mostShareWork = new double[to - from];
        longestMovable = new double[(to - from) * (widest + 1)];
        mostWorkMovable = new double[(to - from) * (widest + 1)];
        untilNanos = new long[to - from];
        isReadLately = new boolean[to - from];
        blockUntilNanos = new long[(to - from + BLOCK - 1) / BLOCK];
        forgetAll();
    }

    /** Brings the bounds up to date after an event. */
    void update() {
        victims.update();
        displaced.update();
        largestFree = view.cluster().byFreeGpus().most();
        clearable.largestFree(largestFree);
        long boundsNow = bound.version(view);
        if (view.corrections() != corrections || boundsNow != bounds) {
            corrections = view.corrections();
            bounds = boundsNow;
            forgetAll();
        }
        Cluster cluster = view.cluster();
        if (changes.advance(cluster)) {
            forgetAll();
        }
        for (long change = changes.first(); change < changes.end(); change++) {
            int i = changes.server(change) - from;
            if (i >= 0 && i < longest.length) {
                untilNanos[i] = -1;
                blockUntilNanos[i / BLOCK] = -1;
            }
        }
        long now = view.nowNanos();
        for (int block = 0; block < blockUntilNanos.length; block++) {
            if (blockUntilNanos[block] < now) {
                readBlock(cluster, block, now);
            }
        }
    }

    private void forgetAll() {
        Arrays.fill(untilNanos, -1);
        Arrays.fill(blockUntilNanos, -1);
    }

    private void readBlock(Cluster cluster, int block, long now) {
        long until = Long.MAX_VALUE;
        for (int i = block * BLOCK; i < Math.min(longest.length, (block + 1) * BLOCK); i++) {
            if (untilNanos[i] < now) {
                read(cluster, i);
            }
            until = Math.min(until, untilNanos[i]);
        }
        blockUntilNanos[block] = until;
    }

    private void read(Cluster cluster, int i) {
        if (!isReadLately[i]) {
            isReadLately[i] = true;
            readLately.add(i);
        }
        int server = from + i;
        int movable = i * (widest + 1);
        longest[i] = 0;
        mostWork[i] = 0;
        longestShare[i] = 0;
        mostShareWork[i] = 0;
        Arrays.fill(longestMovable, movable, movable + widest + 1, 0);
        Arrays.fill(mostWorkMovable, movable, movable + widest + 1, 0);
        clearable.begin(i);
        drain.begin(i);
        long until = Long.MAX_VALUE;
        for (int n = 0; n < cluster.jobsOn(server); n++) {
            int job = cluster.jobOn(server, n);
            Placement placement = view.placement(job);
            int gpus = placement.gpusOn(placement.indexOf(server));
            bound.find(view, job);
            until = Math.min(until, bound.untilNanos());
            longest[i] = Math.max(longest[i], bound.most());
            mostWork[i] = Math.max(mostWork[i], bound.most() * gpus);
            double work = bound.most() * placement.gpuCount();
            longestShare[i] = Math.max(longestShare[i], work / gpus);
            mostShareWork[i] = Math.max(mostShareWork[i], work);
            boolean isMovable =
                    placement.serverCount() == 1 && view.job(job).demand().isPlain();
            clearable.add(i, bound.most(), gpus, isMovable);
            drain.add(i, bound.most(), gpus, placement.gpuCount(), isMovable);
            if (isMovable) {
                // A migration costs the restart at least, however short the job.
                double least = Math.max(PreemptionPlanner.RESTART_SECONDS, bound.most());
                for (int room = gpus; room <= widest; room++) {
                    longestMovable[movable + room] = Math.max(longestMovable[movable + room], least);
                    mostWorkMovable[movable + room] = Math.max(mostWorkMovable[movable + room], least * gpus);
                }
            }
        }
        untilNanos[i] = until;
    }

    /**
     * Calls for each server whose bounds may have changed since the last call, but for the largest free block, by
     * its place in the range.
     */
    void forEachChanged(IntConsumer changed) {
        for (int n = 0; n < readLately.size(); n++) {
            isReadLately[readLately.getInt(n)] = false;
            changed.accept(readLately.getInt(n));
        }
        readLately.clear();
    }

    /** Free GPUs on the server with most of them, on which the bounds depend. */
    int largestFree() {
        return largestFree;
    }

    /** Which servers could be cleared, as of the last {@link #update}. */
    ClearableServers clearable() {
        return clearable;
    }

    /** Which servers lack targets for the jobs that they would have to migrate. */
    DisplacedJobs displaced() {
        return displaced;
    }

    /** The remaining times of the jobs of each server. */
    VictimTimes victims() {
        return victims;
    }

    /** The servers to which the plan under construction lets jobs migrate. */
    MigrationTargets targets() {
        return targets;
    }

    /** Whether a server has so many free GPUs. */
    boolean hasRoom(int gpus) {
        return gpus <= largestFree;
    }

    /**
     * A cost that no victims on the server are below; infinity when there can be none.
     *
     * @param missing GPUs that they have to free, at least one
     */
    double of(int server, int missing, double beneficiarySeconds) {
        int i = server - from;
        double bound = of(i, missing, beneficiarySeconds, longest[i], mostWork[i]);
        return Math.max(bound, drained(i, missing, beneficiarySeconds, false));
    }

    /**
     * A lower bound on the part of the victims' cost that falls on the server, where the cost of a victim is shared
     * by its GPUs on all of its servers: a sum over servers bounds the cost of clearing all of them.
     */
    double ofShares(int server, int missing, double beneficiarySeconds) {
        int i = server - from;
        double bound = of(i, missing, beneficiarySeconds, longestShare[i], mostShareWork[i]);
        return Math.max(bound, drained(i, missing, beneficiarySeconds, true));
    }

    private double drained(int i, int missing, double beneficiarySeconds, boolean byShares) {
        return beneficiarySeconds >= DrainBound.LEAST_SECONDS && drain.drains(i, missing)
                ? SLACK * drain.of(i, largestFree, beneficiarySeconds, byShares)
                : 0;
    }

    private double of(int i, int missing, double beneficiarySeconds, double preemptible, double preemptibleWork) {
        int movable = i * (widest + 1) + largestFree;
        double time = longestMovable[movable] / PreemptionPlanner.RESTART_SECONDS;
        double work = mostWorkMovable[movable] / PreemptionPlanner.RESTART_SECONDS;
        if (longest[i] > beneficiarySeconds) {
            time = Math.max(time, preemptible / beneficiarySeconds);
            work = Math.max(work, preemptibleWork / beneficiarySeconds);
        }
        double gain = Math.min(time, work / missing);
        return gain > 0 ? SLACK / gain : Double.POSITIVE_INFINITY;
    }

    /**
     * A closer lower bound on the cost of victims on the server, by the times that the jobs have now and with the
     * last victim counted in part; infinity when there can be none. O(jobs on the server times victims).
     *
     * @param isTarget whether the plan lets jobs migrate to the server
     */
    double now(int server, int missing, double beneficiarySeconds, boolean isTarget) {
        if (drain.drains(server - from, missing)) {
            return SLACK * targets.drain(server, beneficiarySeconds, isTarget, false);
        }
        return SLACK * targets.partly(server, missing, beneficiarySeconds);
    }

    /**
     * A lower bound on the part of the victims' cost that falls on the server, shared as by {@link #ofShares};
     * closer where the server is drained. O(jobs on the server squared).
     */
    double nowShares(int server, int missing, double beneficiarySeconds, boolean isTarget) {
        return drain.drains(server - from, missing)
                ? SLACK * targets.drain(server, beneficiarySeconds, isTarget, true)
                : ofShares(server, missing, beneficiarySeconds);
    }
}
