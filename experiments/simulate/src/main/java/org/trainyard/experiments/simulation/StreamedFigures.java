package org.trainyard.experiments.simulation;

import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.experiments.metrics.Distribution;

/**
 * The metrics of a run's jobs, summed up as they complete; no outcome is kept. Means of times are exact, percentiles
 * are those of a {@link QuantileSketch}.
 */
public final class StreamedFigures {
    private static final long NANOS = 1_000_000_000L;

    /** Sums and quantiles of one metric. */
    private static final class Figure {
        private final QuantileSketch quantiles = new QuantileSketch();
        private long seconds;
        private long nanos;
        private double sum;

        void addTime(long value) {
            seconds += value / NANOS;
            nanos += value % NANOS;
            quantiles.add(value / 1e9);
        }

        void add(double value) {
            sum += value;
            quantiles.add(value);
        }

        Distribution distribution(long count) {
            return new Distribution(
                    (seconds + nanos / 1e9 + sum) / count,
                    quantiles.quantile(0.5),
                    quantiles.quantile(0.95),
                    quantiles.quantile(0.99));
        }
    }

    private final Figure jct = new Figure();
    private final Figure wait = new Figure();
    private final Figure slowdown = new Figure();
    private long jobs;
    private long preemptions;
    private long timedOut;
    private double meanSlowdowns;
    private long firstSubmitNanos = Long.MAX_VALUE;
    private long lastEndNanos;

    /** Adds a job that has completed. */
    public void add(JobOutcome job) {
        jobs++;
        jct.addTime(job.jctNanos());
        wait.addTime(job.queueingNanos());
        slowdown.add(job.jctSlowdown());
        preemptions += job.preemptions();
        timedOut += job.timedOut() ? 1 : 0;
        meanSlowdowns += job.meanSlowdown();
        firstSubmitNanos = Math.min(firstSubmitNanos, job.job().submitNanos());
        lastEndNanos = Math.max(lastEndNanos, job.endNanos());
    }

    /** How many have completed. */
    public long jobs() {
        return jobs;
    }

    /** Job completion times, seconds. */
    public Distribution jct() {
        return jct.distribution(jobs);
    }

    /** Times without GPUs, seconds. */
    public Distribution waits() {
        return wait.distribution(jobs);
    }

    /** JCT over the undisturbed run time. */
    public Distribution jctSlowdown() {
        return slowdown.distribution(jobs);
    }

    /** Mean of the slowdowns by co-located jobs while running. */
    public double slowdownMean() {
        return meanSlowdowns / jobs;
    }

    public long preemptions() {
        return preemptions;
    }

    /** Jobs that were killed at their time limits. */
    public long timedOut() {
        return timedOut;
    }

    /** Last completion less first submission, seconds. */
    public double makespanSeconds() {
        return jobs == 0 ? 0 : (lastEndNanos - firstSubmitNanos) / 1e9;
    }
}
