package org.trainyard.experiments.metrics;

import java.util.Arrays;
import java.util.List;
import org.trainyard.env.simulation.JobOutcome;

/** The distribution of one metric of many jobs; percentiles as {@link Statistics#percentile} defines them. */
public record Distribution(double mean, double median, double p95, double p99) {
    /** The distribution of unsorted values. O(n log n). */
    public static Distribution of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return ofSorted(Statistics.mean(sorted), sorted);
    }

    /** The distribution of one metric of some jobs; the mean of a time is exact, whatever the order of the jobs. */
    public static Distribution of(List<JobOutcome> all, JobMetric metric) {
        List<JobOutcome> jobs = metric.of(all);
        if (!metric.isTime()) {
            return of(metric.values(jobs));
        }
        long[] nanos = new long[jobs.size()];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = metric.nanos(jobs.get(i));
        }
        return ofSorted(Statistics.meanSeconds(nanos), Statistics.sortedSeconds(nanos));
    }

    private static Distribution ofSorted(double mean, double[] sorted) {
        return new Distribution(
                mean,
                Statistics.percentile(sorted, 0.5),
                Statistics.percentile(sorted, 0.95),
                Statistics.percentile(sorted, 0.99));
    }
}
