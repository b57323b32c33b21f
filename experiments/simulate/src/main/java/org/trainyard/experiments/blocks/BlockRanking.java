package org.trainyard.experiments.blocks;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;

/**
 * The schedulers of one trace by one metric, with intervals over time (see {@link BlockBootstrap}).
 *
 * @param rows best first
 */
@JsonPropertyOrder({"metric", "method"})
public record BlockRanking(
        RankingMetric metric, @JsonProperty("schedulers") List<Row> rows) {
    /** How intervals are computed, for reports. */
    public static final String METHOD = "bootstrap over " + BlockBootstrap.BLOCKS
            + " blocks of successive jobs, the same blocks for all schedulers";

    /** Fewest jobs with intervals: a block has two at least. */
    public static final int ENOUGH_JOBS = 2 * BlockBootstrap.BLOCKS;

    /**
     * One scheduler.
     *
     * @param ranked by the metric
     * @param meanJctBounds of the mean JCT; null where {@code ranked} has no bounds
     */
    public record Row(
            String name,
            @JsonUnwrapped BlockBootstrap.Ranked ranked,
            @JsonProperty("jct_mean_interval") BlockBootstrap.@Nullable Bounds meanJctBounds) {}

    public BlockRanking {
        rows = List.copyOf(rows);
    }

    @JsonProperty
    String method() {
        return METHOD;
    }

    /**
     * Ranks the schedulers of an evaluation that completed all jobs; those of the others are not the same jobs.
     *
     * @return null with a single such scheduler, with several episodes, or with fewer than {@value #ENOUGH_JOBS} jobs
     *     that the metric is of
     */
    public static @Nullable BlockRanking of(Evaluation evaluation, RankingMetric metric) {
        List<SchedulerRuns> runs =
                evaluation.runs().stream().filter(run -> run.rejected() == 0).toList();
        if (runs.size() < 2 || evaluation.episodes() > 1 || evaluation.jobs() < ENOUGH_JOBS) {
            return null;
        }
        long seed = evaluation.sample().seed();
        List<double[]> values =
                runs.stream().map(run -> metric.ofJob().values(run.jobs())).toList();
        if (values.get(0).length < ENOUGH_JOBS) {
            return null;
        }
        List<Row> rows = new ArrayList<>();
        for (BlockBootstrap.Ranked ranked : BlockBootstrap.rank(values, metric, seed)) {
            SchedulerRuns run = runs.get(ranked.index());
            rows.add(new Row(run.name(), ranked, ranked.bounds() == null ? null : meanJct(run, seed)));
        }
        return new BlockRanking(metric, rows);
    }

    private static BlockBootstrap.Bounds meanJct(SchedulerRuns run, long seed) {
        return BlockBootstrap.bounds(JobMetric.JCT.values(run.jobs()), RankingMetric.MEAN_JCT, seed);
    }
}
