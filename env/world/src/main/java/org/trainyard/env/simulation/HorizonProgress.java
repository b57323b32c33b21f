package org.trainyard.env.simulation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.JobValue;
import org.trainyard.env.workload.Workload;

/**
 * The work that each job had done at the horizon of its utility; kept only for workloads with utilities of training.
 */
final class HorizonProgress {
    private static final double UNKNOWN = -1;

    private final Workload workload;
    /** By job, iterations at its horizon; empty when no job has a utility of training. */
    private final double[] iterations;

    HorizonProgress(Workload workload) {
        this.workload = workload;
        boolean isKept = false;
        for (int job = 0; job < workload.size(); job++) {
            JobValue value = value(job);
            isKept |= value != null && value.countsTraining();
        }
        iterations = new double[isKept ? workload.size() : 0];
        Arrays.fill(iterations, UNKNOWN);
    }

    private @Nullable JobValue value(int job) {
        return workload.job(job).of(JobValue.class);
    }

    /**
     * Whether the horizon of the job lies in the time from one instant to another, and its work there is not known yet.
     */
    boolean isDue(int job, long nowNanos) {
        return job < iterations.length && iterations[job] == UNKNOWN && horizonNanos(job) <= nowNanos;
    }

    /** The horizon of a job, nanoseconds; the greatest long for none. */
    long horizonNanos(int job) {
        JobValue value = value(job);
        // A product beyond the range of a long becomes its greatest value.
        return value == null
                ? Long.MAX_VALUE
                : (long) Math.min(Long.MAX_VALUE, workload.job(job).submitNanos() + value.horizonSeconds() * 1e9);
    }

    void set(int job, double done) {
        iterations[job] = done;
    }

    /**
     * The utility of an ended job; 0 for a job without one.
     *
     * @param atEnd iterations done in the end
     */
    double utility(int job, long delayNanos, double atEnd) {
        JobSpec spec = workload.job(job);
        JobValue value = value(job);
        if (value == null) {
            return 0;
        }
        double done = job < iterations.length && iterations[job] != UNKNOWN ? iterations[job] : atEnd;
        return value.of(delayNanos / 1e9, done / spec.idealIterationsPerSecond());
    }

    /** Takes over the work of the same jobs. */
    void copy(HorizonProgress other) {
        System.arraycopy(other.iterations, 0, iterations, 0, iterations.length);
    }
}
