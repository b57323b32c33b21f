package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.ServerChanges;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * A lower bound, by server, on the cost of the victims of a {@link PreemptionPlanner}, with which it passes over
 * servers that cannot be the cheapest: {@link ServerJobs#leastCost} by times that jobs have left at most. A server is
 * read anew when its jobs change or have run a tenth longer. O(servers) per event.
 */
final class EvictionCostBound {
    /** A slack by which rounding never lifts a bound above a cost. */
    private static final double SLACK = 1 - 1e-12;

    private final SimView view;
    private final int from;
    private final RemainingBound bound;
    private final VictimRemainingTimes times;
    /** By server of the range, its jobs, with the times that they have left at most. */
    private final ServerJobs[] jobs;

    private final CachedBounds cached;
    /** Whether all servers of the range have as many GPUs. */
    private final boolean isUniform;

    private final CachedBounds.Bound bySeconds = this::bound;
    private final ServerChanges.Cursor changes = new ServerChanges.Cursor();
    /** By server, the last instant for which these hold, negative when its jobs have changed. */
    private final long[] untilNanos;

    private int corrections;
    private long bounds;
    /** Free GPUs on the server with most of them. */
    private int largestFree;

    EvictionCostBound(SimView view, int from, int to, Rank remainingSeconds, VictimRemainingTimes times) {
        this.view = view;
        this.from = from;
        this.times = times;
        bound = new RemainingBound(remainingSeconds);
        jobs = Stream.generate(ServerJobs::new).limit(to - from).toArray(ServerJobs[]::new);
        cached = new CachedBounds(to - from);
        isUniform = IntStream.range(from, to)
                        .map(view.topology()::gpusOn)
                        .distinct()
                        .count()
                == 1;
        untilNanos = new long[to - from];
        Arrays.fill(untilNanos, -1);
    }

    /** Brings the bounds up to date after an event. */
    void update() {
        largestFree = view.cluster().byFreeGpus().most();
        long boundsNow = bound.version(view);
        Cluster cluster = view.cluster();
        if (changes.advance(cluster) || view.corrections() != corrections || boundsNow != bounds) {
            corrections = view.corrections();
            bounds = boundsNow;
            Arrays.fill(untilNanos, -1);
        }
        for (long change = changes.first(); change < changes.end(); change++) {
            int i = changes.server(change) - from;
            if (i >= 0 && i < jobs.length) {
                untilNanos[i] = -1;
            }
        }
        for (int i = 0; i < jobs.length; i++) {
            if (untilNanos[i] < view.nowNanos()) {
                untilNanos[i] = read(cluster, i);
            }
        }
    }

    /** Reads the jobs of a server; returns the last instant for which that holds. */
    private long read(Cluster cluster, int i) {
        cached.change(i);
        ServerJobs here = jobs[i];
        here.begin(cluster.jobsOn(from + i));
        long until = Long.MAX_VALUE;
        for (int n = 0; n < here.count; n++) {
            int job = cluster.jobOn(from + i, n);
            Placement placement = view.placement(job);
            bound.find(view, job);
            until = Math.min(until, bound.untilNanos());
            here.gpus[n] = placement.gpusOn(placement.indexOf(from + i));
            here.gpusInAll[n] = placement.gpuCount();
            here.seconds[n] = bound.most();
            boolean isMovable =
                    placement.serverCount() == 1 && view.job(job).demand().isPlain();
            here.restart[n] = isMovable ? PreemptionCharge.restartShare(bound.most()) : Double.POSITIVE_INFINITY;
        }
        return until;
    }

    /**
     * A cost that no victims on the server are below, as {@link ServerJobs#leastCost}; infinity when there can be none.
     *
     * @param missing GPUs that they have to free; none cost nothing
     */
    double of(int server, int missing, double beneficiarySeconds) {
        return missing <= 0 ? 0 : SLACK * jobs[server - from].leastCost(missing, beneficiarySeconds, largestFree);
    }

    /**
     * Whether there is certainly no plan for a pending job: fewer servers can be cleared for as many workers as they
     * can have than its first ones, all but the last of equal servers. O(servers and their jobs).
     */
    boolean isImpossible(int gpus, double beneficiarySeconds) {
        int left = isUniform ? Math.max(1, gpus / Math.max(1, view.topology().gpusOn(from))) : 1;
        for (int i = 0; i < jobs.length && left > 0; i++) {
            left -= bound(i, gpus, beneficiarySeconds) < Double.POSITIVE_INFINITY ? 1 : 0;
        }
        return left > 0;
    }

    /**
     * The bound {@link #of} a server by the times that its jobs have now, and by the targets that a plan leaves where
     * all of them must go; it is closer and takes longer.
     */
    double now(int server, int missing, double beneficiarySeconds, GrowingPlan plan) {
        if (missing <= 0) {
            return 0;
        }
        ServerJobs here = times.on(server);
        return SLACK
                * (missing == here.held()
                        ? here.drainCost(beneficiarySeconds, plan.targetsFrom(server))
                        : here.leastCost(missing, beneficiarySeconds, largestFree));
    }

    /** Finds the bounds of a range of servers, by place in the range of all, where no plan frees or takes GPUs yet. */
    void find(int workers, double beneficiarySeconds, int first, int end, double[] out) {
        cached.find(workers, largestFree, beneficiarySeconds, first - from, end - from, bySeconds, out);
    }

    private double bound(int i, int workers, double beneficiarySeconds) {
        int server = from + i;
        int missing = Math.min(workers, view.topology().gpusOn(server))
                - view.cluster().freeOn(server);
        return of(server, missing, beneficiarySeconds);
    }
}
