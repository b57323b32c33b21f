package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;

/**
 * A lower bound, by server, on the cost of draining it: of preempting or migrating all of its jobs, each of which
 * has at most a given time left. O(1) to ask, for pending jobs with at least {@link #LEAST_SECONDS} left; O(GPUs of a
 * server) to add a job.
 */
final class DrainBound {
    /** A migration costs a job of so much time left no more than to be preempted by such a pending job. */
    static final double LEAST_SECONDS = PreemptionPlanner.RESTART_SECONDS;

    private final int width;
    /** By server of the range, the GPUs of its jobs. */
    private final int[] held;
    /**
     * By server and GPUs of the widest job that can migrate: the cost of the migrations, and of the other jobs the
     * shortest time and the sum of the inverse times.
     */
    private final double[] migrations;

    private final double[] shortest;
    private final double[] inverse;
    /** The sum of the inverse times where a job counts by the part of its GPUs that is on the server. */
    private final double[] inverseShares;

    /** @param widest most GPUs of a server */
    DrainBound(int servers, int widest) {
        width = widest + 1;
        held = new int[servers];
        migrations = new double[servers * width];
        shortest = new double[servers * width];
        inverse = new double[servers * width];
        inverseShares = new double[servers * width];
    }

    /** Forgets the jobs of a server, given by its place in the range, before they are added. */
    void begin(int i) {
        int from = i * width;
        held[i] = 0;
        Arrays.fill(migrations, from, from + width, 0);
        Arrays.fill(shortest, from, from + width, Double.POSITIVE_INFINITY);
        Arrays.fill(inverse, from, from + width, 0);
        Arrays.fill(inverseShares, from, from + width, 0);
    }

    /** Adds a job of a server, with its GPUs there and in all. */
    void add(int i, double mostSeconds, int gpusHere, int gpus, boolean isMovable) {
        held[i] += gpusHere;
        for (int largestFree = 0; largestFree < width; largestFree++) {
            int at = i * width + largestFree;
            if (isMovable && gpusHere <= largestFree) {
                migrations[at] +=
                        PreemptionPlanner.RESTART_SECONDS / Math.max(PreemptionPlanner.RESTART_SECONDS, mostSeconds);
            } else {
                shortest[at] = Math.min(shortest[at], mostSeconds);
                inverse[at] += 1 / mostSeconds;
                inverseShares[at] += gpusHere / (gpus * mostSeconds);
            }
        }
    }

    /** Whether a server is drained when so many of its GPUs are freed. */
    boolean drains(int i, int missing) {
        return missing >= held[i];
    }

    /**
     * The bound; infinity when a job cannot be a victim.
     *
     * @param largestFree free GPUs on the server with most of them
     * @param byShares whether a job costs the part of its GPUs that is on the server
     */
    double of(int i, int largestFree, double beneficiarySeconds, boolean byShares) {
        int at = i * width + largestFree;
        return beneficiarySeconds >= shortest[at]
                ? Double.POSITIVE_INFINITY
                : migrations[at] + beneficiarySeconds * (byShares ? inverseShares : inverse)[at];
    }
}
