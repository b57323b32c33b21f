package org.trainyard.experiments.cli.options;

import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.metrics.RankingMetric;
import picocli.CommandLine.Option;

/** Options of commands that rank schedulers. */
public final class RankingOptions {
    @Option(
            names = "--metric",
            paramLabel = "NAME",
            description = "Rank by mean, median, p95 or p99 of wait, wide-wait (jobs of more than 8 GPUs), jct "
                    + "or slowdown, such as p95-wait (default: mean-jct; advise: mean-wait).")
    private @Nullable String metric;

    /** The metric asked for, or this one. */
    public RankingMetric metric(RankingMetric unasked) {
        return metric == null ? unasked : RankingMetric.named("--metric", metric);
    }
}
