package org.trainyard.experiments.metrics;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.JobValue;

/**
 * The utilities of all jobs of some episodes under one scheduler.
 *
 * @param total mean over episodes of the sum of all jobs' utilities; a rejected job has none
 * @param interval half the width of the 95 % interval of the total, by Student's t over episodes; null for one episode
 * @param bound mean over episodes of an upper bound on the total of any schedule; null where it is not known
 *     ({@link UtilityBound})
 * @param admitted share of the jobs that were not rejected
 * @param gaining share of the jobs whose utility is above zero: a utility of time is, when the job completes by its
 *     horizon
 */
@JsonPropertyOrder({"total_mean", "total_interval", "bound_mean", "regret"})
public record UtilityFigures(
        @JsonProperty("total_mean") double total,
        @JsonProperty("total_interval") @Nullable Double interval,
        @JsonProperty("bound_mean") @Nullable Double bound,
        double admitted,
        double gaining) {
    private static final double LEVEL = 0.05;

    /** Null when no job has a utility. */
    public static @Nullable UtilityFigures of(List<RunResult> episodes) {
        if (!haveUtilities(episodes)) {
            return null;
        }
        double[] totals = episodes.stream()
                .mapToDouble(episode ->
                        episode.jobs().stream().mapToDouble(JobOutcome::utility).sum())
                .toArray();
        double completed =
                episodes.stream().mapToInt(episode -> episode.jobs().size()).sum();
        double gaining = episodes.stream()
                .mapToLong(episode ->
                        episode.jobs().stream().filter(job -> job.utility() > 0).count())
                .sum();
        int submitted = episodes.stream()
                .mapToInt(episode -> episode.submitted().size())
                .sum();
        return new UtilityFigures(
                Statistics.mean(totals),
                halfWidth(totals),
                bound(episodes),
                completed / submitted,
                gaining / submitted);
    }

    private static boolean haveUtilities(List<RunResult> episodes) {
        for (RunResult episode : episodes) {
            for (JobOutcome outcome : episode.jobs()) {
                if (outcome.job().of(JobValue.class) != null) {
                    return true;
                }
            }
            for (RunResult.RejectedJob rejected : episode.rejected()) {
                if (rejected.job().of(JobValue.class) != null) {
                    return true;
                }
            }
        }
        return false;
    }

    private static @Nullable Double bound(List<RunResult> episodes) {
        UtilityBound upper = UtilityBound.installed();
        double[] bounds = new double[episodes.size()];
        for (int i = 0; i < bounds.length; i++) {
            Double bound = upper.of(episodes.get(i));
            if (bound == null) {
                return null;
            }
            bounds[i] = bound;
        }
        return Statistics.mean(bounds);
    }

    /** By how much the total falls short of the bound, a share of it; null where the bound is not known. */
    @JsonProperty
    public @Nullable Double regret() {
        return bound == null || !(bound > 0) ? null : 1 - total / bound;
    }

    private static @Nullable Double halfWidth(double[] totals) {
        if (totals.length < 2) {
            return null;
        }
        double mean = Statistics.mean(totals);
        double squares = 0;
        for (double total : totals) {
            squares += (total - mean) * (total - mean);
        }
        double error = Math.sqrt(squares / (totals.length - 1) / totals.length);
        return error * TDistribution.of(totals.length - 1).inverseSurvivalProbability(LEVEL / 2);
    }
}
