package org.trainyard.experiments.metrics;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;

/** The metric by which schedulers are ranked; the smaller the better. */
public enum RankingMetric implements CellFormat {
    MEAN_WAIT(JobMetric.WAIT, 0),
    MEDIAN_WAIT(JobMetric.WAIT, 0.5),
    P95_WAIT(JobMetric.WAIT, 0.95),
    P99_WAIT(JobMetric.WAIT, 0.99),
    MEAN_WIDE_WAIT(JobMetric.WIDE_WAIT, 0),
    MEDIAN_WIDE_WAIT(JobMetric.WIDE_WAIT, 0.5),
    P95_WIDE_WAIT(JobMetric.WIDE_WAIT, 0.95),
    P99_WIDE_WAIT(JobMetric.WIDE_WAIT, 0.99),
    MEAN_JCT(JobMetric.JCT, 0),
    MEDIAN_JCT(JobMetric.JCT, 0.5),
    P95_JCT(JobMetric.JCT, 0.95),
    P99_JCT(JobMetric.JCT, 0.99),
    MEAN_SLOWDOWN(JobMetric.SLOWDOWN, 0),
    MEDIAN_SLOWDOWN(JobMetric.SLOWDOWN, 0.5),
    P95_SLOWDOWN(JobMetric.SLOWDOWN, 0.95),
    P99_SLOWDOWN(JobMetric.SLOWDOWN, 0.99);

    private final JobMetric of;
    /** 0 for the mean. */
    private final double share;

    RankingMetric(JobMetric of, double share) {
        this.of = of;
        this.share = share;
    }

    /** Name of the metric for users, such as {@code p95-wait}. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The words of a sentence, such as {@code p95 wait}. */
    public String words() {
        return label().replace('-', ' ').replace("jct", "JCT");
    }

    /** @throws InputException when there is none of that name */
    public static RankingMetric named(String option, String label) {
        List<String> labels = Arrays.stream(values()).map(RankingMetric::label).toList();
        int at = labels.indexOf(label.toLowerCase(Locale.ROOT));
        if (at < 0) {
            throw InputException.at(option, label, Nearest.oneOf(label, labels));
        }
        return values()[at];
    }

    /** The metric of a job behind it. */
    public JobMetric ofJob() {
        return of;
    }

    @Override
    public String text(double value) {
        return of.isTime() ? Durations.human(value) : CellFormat.number("%.2f", value);
    }

    /** The metric of some jobs, which may repeat; their values are sorted in place. */
    public double of(double[] values) {
        if (share == 0) {
            return Statistics.mean(values);
        }
        Arrays.sort(values);
        return Statistics.percentile(values, share);
    }

    /** The metric of a distribution of {@link #ofJob}. */
    public double of(Distribution distribution) {
        return share == 0
                ? distribution.mean()
                : share == 0.5 ? distribution.median() : share == 0.95 ? distribution.p95() : distribution.p99();
    }
}
