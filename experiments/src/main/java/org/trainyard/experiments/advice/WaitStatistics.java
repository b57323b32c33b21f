package org.trainyard.experiments.advice;

import java.util.Arrays;
import org.trainyard.experiments.evaluation.Statistics;

/** The distribution of one time of many jobs, seconds; percentiles as {@link Statistics#percentile} defines them. */
public record WaitStatistics(double mean, double median, double p95, double p99) {
    /** Of unsorted values in seconds. O(n log n). */
    static WaitStatistics of(double[] seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return new WaitStatistics(
                Statistics.mean(sorted),
                Statistics.percentile(sorted, 0.5),
                Statistics.percentile(sorted, 0.95),
                Statistics.percentile(sorted, 0.99));
    }
}
