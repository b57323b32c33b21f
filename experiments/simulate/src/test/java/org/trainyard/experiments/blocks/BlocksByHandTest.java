package org.trainyard.experiments.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.blocks.BlockBootstrap.Bounds;
import org.trainyard.experiments.blocks.BlockBootstrap.Ranked;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.Runs;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.metrics.JobMetric;
import org.trainyard.experiments.metrics.RankingMetric;

/** Intervals over blocks of time against their definition, by a second computation. */
class BlocksByHandTest {
    @ParameterizedTest
    @CsvSource({"-2, -1, true", "-1, 0, false", "0, 1, false", "1, 2, true", "-1, 1, false"})
    void an_interval_is_clear_where_it_leaves_zero_out(double low, double high, boolean isClear) {
        Bounds bounds = new Bounds(low, high);

        assertThat(bounds.isClear()).isEqualTo(isClear);
        assertThat(bounds.negated().isClear()).isEqualTo(isClear);
        assertThat(bounds.negated()).isEqualTo(new Bounds(-high, -low));
    }

    /** The resamples of 45 jobs in twenty blocks of two or three, each from {@code 45 b / 20} on. */
    private static double[] resamples(double[] values, long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "blocks of a log");
        double[] medians = new double[400];
        for (int r = 0; r < medians.length; r++) {
            List<Double> sample = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int block = random.nextInt(20);
                for (int job = 45 * block / 20; job < 45 * (block + 1) / 20; job++) {
                    sample.add(values[job]);
                }
            }
            double[] sorted = sample.stream().mapToDouble(v -> v).sorted().toArray();
            double at = 0.5 * (sorted.length - 1);
            medians[r] = (sorted[(int) Math.floor(at)] + sorted[(int) Math.ceil(at)]) / 2;
        }
        return medians;
    }

    private static void assertBounds(Bounds bounds, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        // 0.025 and 0.975 of 399 steps: 9.975 and 389.025.
        assertThat(bounds.low()).isCloseTo(0.025 * sorted[9] + 0.975 * sorted[10], within(1e-9));
        assertThat(bounds.high()).isCloseTo(0.975 * sorted[389] + 0.025 * sorted[390], within(1e-9));
    }

    @Test
    void schedulers_are_ranked_by_the_same_blocks_of_jobs_and_twelve_have_intervals() {
        RandomGenerator random = RandomStreams.stream(4, "test/waits");
        double[] base = random.doubles(45, 10, 100).toArray();
        List<double[]> values = new ArrayList<>();
        for (int scheduler = 0; scheduler < 14; scheduler++) {
            double factor = 2 - 0.1 * scheduler;
            values.add(Arrays.stream(base).map(v -> factor * v).toArray());
        }
        // As the last but one in the median, with the greatest mean.
        double[] twin = values.get(12).clone();
        int longest = IntStream.range(0, 45)
                .boxed()
                .max(Comparator.comparingDouble(i -> base[i]))
                .orElseThrow();
        twin[longest] *= 90;
        values.set(2, twin);
        List<Ranked> ranked = BlockBootstrap.rank(values, RankingMetric.MEDIAN_WAIT, 6);

        assertThat(ranked).extracting(Ranked::index).containsExactly(13, 12, 2, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1, 0);
        assertThat(ranked.subList(12, 14)).allMatch(one -> one.bounds() == null && one.fromBest() == null);
        double[] best = resamples(values.get(13), 6);
        for (Ranked one : ranked.subList(0, 12)) {
            double[] its = resamples(values.get(one.index()), 6);
            assertBounds(Objects.requireNonNull(one.bounds()), its);
            assertThat(one.value())
                    .isEqualTo(
                            RankingMetric.MEDIAN_WAIT.of(values.get(one.index()).clone()));
            assertThat(one.isBest()).isEqualTo(one.index() == 13);
            assertThat(one.isLevel()).isFalse();
            if (one.fromBest() != null) {
                Arrays.setAll(its, r -> its[r] - best[r]);
                assertBounds(one.fromBest(), its);
            }
        }
        double[] was = resamples(values.get(0), 6);
        Arrays.setAll(was, r -> was[r] - best[r]);
        assertBounds(BlockBootstrap.saved(values.get(0), values.get(13), RankingMetric.MEDIAN_WAIT, 6), was);
        assertBounds(BlockBootstrap.bounds(values.get(13), RankingMetric.MEDIAN_WAIT, 6), best);
    }

    /** 200,000 jobs in blocks of equal waits: 200 resamples of twenty blocks, in place of 400. */
    @Test
    void of_very_many_jobs_fewer_resamples_are_drawn() {
        double[] values = IntStream.range(0, 200_000)
                .mapToDouble(job -> Math.pow(job / 10_000, 2))
                .toArray();
        RandomGenerator random = RandomStreams.stream(3, "blocks of a log");
        double[] means = new double[200];
        for (int r = 0; r < means.length; r++) {
            means[r] = IntStream.range(0, 20)
                            .mapToDouble(i -> Math.pow(random.nextInt(20), 2))
                            .sum()
                    / 20;
        }
        Arrays.sort(means);
        Bounds bounds = BlockBootstrap.bounds(values, RankingMetric.MEAN_WAIT, 3);

        // 0.025 of 199 steps: 4.975.
        assertThat(bounds.low()).isCloseTo(0.025 * means[4] + 0.975 * means[5], within(1e-6));
        assertThat(new Bounds(60, 3660).text(RankingMetric.MEAN_WAIT)).isEqualTo("1 min .. 1 h 1 min");
    }

    @Test
    void too_close_to_call_is_what_touches_zero() {
        assertThat(new Ranked(0, 1, new Bounds(0, 1), new Bounds(0, 1)).isLevel())
                .isTrue();
        assertThat(new Ranked(0, 1, new Bounds(0, 1), new Bounds(1e-9, 1)).isLevel())
                .isFalse();
    }

    private static RunResult many(double factor, int jobs) {
        double[] seconds = IntStream.range(0, jobs)
                .mapToDouble(i -> factor * (10 + i * i % 37))
                .toArray();
        return Runs.episode(seconds);
    }

    @Test
    void a_ranking_over_blocks_has_all_that_completed_everything_where_there_are_jobs_enough() {
        List<JobOutcome> all = many(1, 40).jobs();
        RunResult refusing = new RunResult(
                all.subList(0, 39),
                List.of(new RunResult.RejectedJob(all.get(39).job(), 1, "")),
                4,
                1,
                1,
                1,
                "x");
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("slow", many(2, 40)),
                        Runs.heuristic("refuses", refusing),
                        Runs.heuristic("fast", many(1, 40))),
                7);
        BlockRanking ranking = Objects.requireNonNull(BlockRanking.of(evaluation, RankingMetric.P95_JCT));

        assertThat(ranking.rows()).extracting(BlockRanking.Row::name).containsExactly("fast", "slow");
        List<double[]> values = List.of(
                JobMetric.JCT.values(many(2, 40).jobs()),
                JobMetric.JCT.values(many(1, 40).jobs()));
        assertThat(ranking.rows())
                .extracting(BlockRanking.Row::ranked)
                .isEqualTo(BlockBootstrap.rank(values, RankingMetric.P95_JCT, 7));
        assertThat(ranking.rows().get(1).meanJctBounds())
                .isEqualTo(BlockBootstrap.bounds(values.get(0), RankingMetric.MEAN_JCT, 7));
        for (List<SchedulerRuns> few : List.of(
                List.of(Runs.heuristic("slow", many(2, 39)), Runs.heuristic("fast", many(1, 39))),
                List.of(Runs.heuristic("slow", many(2, 40))),
                List.of(
                        Runs.heuristic("a", many(2, 40), many(2, 40)),
                        Runs.heuristic("b", many(2, 40), many(1, 40))))) {
            assertThat(BlockRanking.of(Evaluation.of(few, 7), RankingMetric.P95_JCT))
                    .isNull();
        }
    }
}
