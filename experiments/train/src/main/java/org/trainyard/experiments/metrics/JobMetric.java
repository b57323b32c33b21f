package org.trainyard.experiments.metrics;

import java.util.List;
import org.trainyard.env.simulation.JobOutcome;

/** A metric of a finished job; the smaller the better. */
public enum JobMetric {
    /** Time without GPUs from when the job was allowed to start to its end. */
    WAIT,
    /** The wait of jobs of more than {@value #NARROW} GPUs alone, more than a usual server has. */
    WIDE_WAIT,
    /** Completion less submission. */
    JCT,
    /** JCT over the undisturbed run time. */
    SLOWDOWN;

    /** Jobs of more GPUs than these are wide. */
    public static final int NARROW = 8;

    /** Whether it is a time in seconds, and no ratio. */
    public boolean isTime() {
        return this != SLOWDOWN;
    }

    long nanos(JobOutcome job) {
        return switch (this) {
            case WAIT, WIDE_WAIT -> job.queueingNanos();
            case JCT -> job.jctNanos();
            case SLOWDOWN -> throw new IllegalStateException("a slowdown is no time");
        };
    }

    /** The jobs that it is of: all, but for {@link #WIDE_WAIT}. */
    List<JobOutcome> of(List<JobOutcome> jobs) {
        return this == WIDE_WAIT
                ? jobs.stream().filter(job -> job.job().gpus() > NARROW).toList()
                : jobs;
    }

    /** By job that it is of. */
    public double[] values(List<JobOutcome> all) {
        List<JobOutcome> jobs = of(all);
        double[] values = new double[jobs.size()];
        for (int i = 0; i < values.length; i++) {
            JobOutcome job = jobs.get(i);
            values[i] = isTime() ? nanos(job) / 1e9 : job.jctSlowdown();
        }
        return values;
    }
}
