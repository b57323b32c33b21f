package org.trainyard.env.scheduling.preemption;

import org.trainyard.env.simulation.SimView;

/**
 * The jobs of one server as victims, by their places in its list, and a lower bound on the cost of clearing GPUs there.
 */
final class ServerJobs {
    int count;
    /** GPUs of the job on the server. */
    int[] gpus = {};
    /** GPUs of the job on all of its servers. */
    int[] gpusInAll = {};
    /** Estimated remaining time, seconds; 0 for a job that may not be preempted. */
    double[] seconds = {};
    /** Loss of the job by a restart on another server, as a share of its remaining time; infinity where it cannot. */
    double[] restart = {};
    /** Charge for its preemption, as a share of its remaining time. */
    double[] charged = {};

    /** Losses in the search for the least cost: of each job, or for each of its GPUs. */
    private double[] losses = {};

    /** Makes place for so many jobs. */
    void begin(int jobs) {
        count = jobs;
        if (jobs > gpus.length) {
            int length = Math.max(8, 2 * jobs);
            gpus = new int[length];
            gpusInAll = new int[length];
            seconds = new double[length];
            restart = new double[length];
            charged = new double[length];
            losses = new double[length];
        }
    }

    boolean spans(int n) {
        return gpusInAll[n] > gpus[n];
    }

    /**
     * Loss of the n-th job by preemption: the time of the pending job over its own, infinity when that is not longer,
     * and the charge.
     */
    double preemptionLoss(int n, double beneficiarySeconds) {
        return seconds[n] > beneficiarySeconds
                ? beneficiarySeconds / seconds[n] + charged[n]
                : Double.POSITIVE_INFINITY;
    }

    /**
     * A cost that no victims which free so many GPUs are below, the last of them counted in part, where the cost of a
     * victim is shared by its GPUs on all of its servers: a sum over servers bounds the cost of clearing all of them.
     * Infinity when there are no such victims. O(jobs times victims).
     *
     * @param missing GPUs to be freed, at least one
     * @param largestFree free GPUs on the server with most of them, to which jobs may migrate
     */
    double leastCost(int missing, double beneficiarySeconds, int largestFree) {
        int obtainable = 0;
        for (int n = 0; n < count; n++) {
            double loss = preemptionLoss(n, beneficiarySeconds);
            if (gpus[n] <= largestFree && restart[n] < loss) {
                loss = restart[n];
            }
            losses[n] = loss / gpusInAll[n];
            obtainable += loss < Double.POSITIVE_INFINITY ? gpus[n] : 0;
        }
        if (obtainable < missing) {
            return Double.POSITIVE_INFINITY;
        }
        double cost = 0;
        int left = missing;
        while (left > 0) {
            double lowest = Double.POSITIVE_INFINITY;
            int next = 0;
            for (int n = 0; n < count; n++) {
                if (losses[n] < lowest) {
                    lowest = losses[n];
                    next = n;
                }
            }
            cost += lowest * Math.min(left, gpus[next]);
            left -= gpus[next];
            losses[next] = Double.POSITIVE_INFINITY;
        }
        return cost;
    }

    /** GPUs of the jobs on the server. */
    int held() {
        int sum = 0;
        for (int n = 0; n < count; n++) {
            sum += gpus[n];
        }
        return sum;
    }

    /**
     * {@link #leastCost} where all jobs with GPUs must go, and no more of them migrate than there are targets: those
     * first that it saves most. O(jobs squared).
     *
     * @param targets by number of GPUs, the servers with at least so many free ones to which jobs may migrate; it is
     *     used up
     */
    double drainCost(double beneficiarySeconds, int[] targets) {
        for (int n = 0; n < count; n++) {
            losses[n] = preemptionLoss(n, beneficiarySeconds);
        }
        double cost = 0;
        for (int n = mostSaved(); n != SimView.NONE; n = mostSaved()) {
            cost += takeTarget(gpus[n], targets) ? restart[n] : losses[n];
            losses[n] = 0;
        }
        for (int n = 0; n < count; n++) {
            // A job without GPUs stays.
            cost += gpus[n] > 0 ? losses[n] * gpus[n] / gpusInAll[n] : 0;
        }
        return cost;
    }

    /** The job that saves most when it migrates, or {@link SimView#NONE} when none does. */
    private int mostSaved() {
        int next = SimView.NONE;
        double most = 0;
        for (int n = 0; n < count; n++) {
            // Two infinite numbers make none that is greater.
            if (losses[n] - restart[n] > most) {
                most = losses[n] - restart[n];
                next = n;
            }
        }
        return next;
    }

    /** Takes a target for a job of so many GPUs, if one is left beside those of the jobs before it. */
    private static boolean takeTarget(int gpus, int[] targets) {
        for (int width = gpus; width > 0; width--) {
            if (targets[width] <= 0) {
                return false;
            }
        }
        for (int width = gpus; width > 0; width--) {
            targets[width]--;
        }
        return true;
    }
}
