package org.trainyard.experiments.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.metrics.Statistics;

class BlockBootstrapTest {
    /** Waits of one day in twenty are ten times as long: jobs of that day share a queue. */
    private static double[] waits(double factor) {
        RandomGenerator random = RandomStreams.stream(3, "test/waits");
        double[] waits = new double[2_000];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = factor * (i / 100 == 7 ? 10 : 1) * random.nextExponential();
        }
        return waits;
    }

    @Test
    void a_paired_difference_is_told_where_intervals_overlap() {
        List<BlockBootstrap.Ranked> ranked =
                BlockBootstrap.rank(List.of(waits(1.05), waits(1)), RankingMetric.MEAN_WAIT, 1);
        assertThat(ranked.get(0).index()).isEqualTo(1);
        BlockBootstrap.Bounds best = Objects.requireNonNull(ranked.get(0).bounds());
        BlockBootstrap.Bounds second = Objects.requireNonNull(ranked.get(1).bounds());
        assertThat(second.low()).isLessThan(best.high());
        assertThat(ranked.get(1).isLevel()).isFalse();
    }

    @Test
    void what_rests_on_one_block_is_too_close_to_call() {
        double[] other = waits(1);
        for (int i = 700; i < 800; i++) {
            other[i] *= 1.2;
        }
        for (int i = 0; i < 100; i++) {
            other[i] *= 0.9;
        }
        List<BlockBootstrap.Ranked> ranked = BlockBootstrap.rank(List.of(waits(1), other), RankingMetric.MEAN_WAIT, 1);
        assertThat(ranked.get(1).isLevel()).isTrue();
    }

    /** Of 400 means of twenty drawn jobs, ten lie below a 95 % interval and ten above. */
    @Test
    void an_interval_leaves_out_a_fortieth_of_the_resamples_at_each_end() {
        double[] waits = RandomStreams.stream(5, "test/waits of twenty")
                .doubles(20, 0, 1000)
                .toArray();
        BlockBootstrap.Bounds bounds = BlockBootstrap.bounds(waits, RankingMetric.MEAN_WAIT, 9);
        RandomGenerator random = RandomStreams.stream(9, "blocks of a log");
        int below = 0;
        int above = 0;
        for (int resample = 0; resample < 400; resample++) {
            double sum = 0;
            for (int job = 0; job < waits.length; job++) {
                sum += waits[random.nextInt(waits.length)];
            }
            below += sum / waits.length < bounds.low() - 1e-9 ? 1 : 0;
            above += sum / waits.length > bounds.high() + 1e-9 ? 1 : 0;
        }

        assertThat(below).isBetween(9, 10);
        assertThat(above).isBetween(9, 10);
    }

    @Test
    void equal_runs_are_too_close_to_call() {
        assertThat(BlockBootstrap.rank(List.of(waits(1), waits(1)), RankingMetric.P95_WAIT, 1)
                        .get(1)
                        .isLevel())
                .isTrue();
    }

    @Test
    void an_interval_over_blocks_is_wider_than_one_over_single_jobs() {
        double[] waits = waits(1);
        BlockBootstrap.Bounds bounds = BlockBootstrap.bounds(waits, RankingMetric.MEAN_WAIT, 1);
        double mean = Statistics.mean(waits);
        double squares = 0;
        for (double wait : waits) {
            squares += (wait - mean) * (wait - mean);
        }
        double single = 2 * 1.96 * Math.sqrt(squares / waits.length / waits.length);
        assertThat(bounds.low()).isLessThan(mean);
        assertThat(bounds.high()).isGreaterThan(mean);
        assertThat(bounds.high() - bounds.low()).isGreaterThan(2 * single);
    }
}
