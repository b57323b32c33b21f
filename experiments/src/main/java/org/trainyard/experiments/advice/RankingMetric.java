package org.trainyard.experiments.advice;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.yaml.Nearest;
import org.trainyard.experiments.evaluation.Statistics;

/** The figure by which schedulers are ranked; the smaller the better. */
public enum RankingMetric {
    MEAN_WAIT(false, 0),
    MEDIAN_WAIT(false, 0.5),
    P95_WAIT(false, 0.95),
    P99_WAIT(false, 0.99),
    MEAN_JCT(true, 0),
    P95_JCT(true, 0.95);

    private final boolean isJct;
    /** 0 for the mean. */
    private final double share;

    RankingMetric(boolean isJct, double share) {
        this.isJct = isJct;
        this.share = share;
    }

    /** As users name it, such as {@code p95-wait}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The words of a sentence, such as {@code p95 wait}. */
    String words() {
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

    /** The times that it is about, by job, seconds. */
    double[] times(LogOutcome log) {
        return isJct ? log.jctSeconds() : log.waitSeconds();
    }

    /** The figure of some jobs, which may repeat; their times are sorted in place. */
    double of(double[] times) {
        if (share == 0) {
            double sum = 0;
            for (double time : times) {
                sum += time;
            }
            return sum / times.length;
        }
        Arrays.sort(times);
        return Statistics.percentile(times, share);
    }
}
