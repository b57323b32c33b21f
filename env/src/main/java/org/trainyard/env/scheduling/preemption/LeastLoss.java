package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * A lower bound, by server, on the cost of the victims of a {@link PreemptionPlanner}, with which it passes over servers that cannot be the cheapest: victims that free so many
 * GPUs lose at least that many times the least loss per GPU, and at least the least loss. Four numbers a server, made once per event in O(running jobs).
 */
final class LeastLoss {
    /** So that rounding never lifts a bound above a cost. */
    private static final double SLACK = 1 - 1e-12;

    private final SimView view;
    private final int from;
    private final Rank remainingSeconds;
    private final ServersByFreeGpus free;
    /** By server of the range, the longest estimated remaining time of its jobs, and of those that may have a migration target. */
    private final double[] longest;

    private final double[] longestMovable;
    /** The same of remaining time times the GPUs on the server. */
    private final double[] widest;

    private final double[] widestMovable;
    /** By job, its estimated remaining time at the last update. */
    private double[] seconds = new double[64];

    LeastLoss(SimView view, int from, int to, Rank remainingSeconds, ServersByFreeGpus free) {
        this.view = view;
        this.from = from;
        this.remainingSeconds = remainingSeconds;
        this.free = free;
        longest = new double[to - from];
        longestMovable = new double[to - from];
        widest = new double[to - from];
        widestMovable = new double[to - from];
    }

    /** Reads the jobs that run now. */
    void update() {
        Cluster cluster = view.cluster();
        if (seconds.length < view.arrived()) {
            seconds = Arrays.copyOf(seconds, 2 * view.arrived());
        }
        for (int i = 0; i < longest.length; i++) {
            longest[i] = 0;
            longestMovable[i] = 0;
            widest[i] = 0;
            widestMovable[i] = 0;
            int server = from + i;
            for (int n = 0; n < cluster.jobsOn(server); n++) {
                int job = cluster.jobOn(server, n);
                Placement placement = view.placement(job);
                int gpus = placement.gpusOn(placement.indexOf(server));
                double left = remainingSeconds.of(view, job);
                seconds[job] = left;
                longest[i] = Math.max(longest[i], left);
                widest[i] = Math.max(widest[i], left * gpus);
                if (mayMove(job, placement)) {
                    // A migration costs the restart at least, however short the job.
                    double least = Math.max(PreemptionPlanner.RESTART_SECONDS, left);
                    longestMovable[i] = Math.max(longestMovable[i], least);
                    widestMovable[i] = Math.max(widestMovable[i], least * gpus);
                }
            }
        }
    }

    /** The estimated remaining time of a job that ran in the range at the last update. */
    double seconds(int job) {
        return seconds[job];
    }

    private boolean mayMove(int job, Placement placement) {
        return placement.serverCount() == 1
                && view.job(job).demand().isPlain()
                && free.firstWithFree(placement.gpuCount()) < view.topology().servers();
    }

    /**
     * A cost that no victims on the server are below.
     *
     * @param missing GPUs that they have to free, at least one
     */
    double of(int server, int missing, double newcomerSeconds) {
        int i = server - from;
        double one = Math.min(
                ratio(PreemptionPlanner.RESTART_SECONDS, longestMovable[i]), ratio(newcomerSeconds, longest[i]));
        double each =
                Math.min(ratio(PreemptionPlanner.RESTART_SECONDS, widestMovable[i]), ratio(newcomerSeconds, widest[i]));
        return SLACK * Math.max(one, missing * each);
    }

    private static double ratio(double cost, double seconds) {
        return seconds > 0 ? cost / seconds : Double.POSITIVE_INFINITY;
    }
}
