package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.PairedComparison.Interval;
import org.trainyard.experiments.evaluation.PairedComparison.Verdict;

class PairedComparisonTest {
    @Test
    void equal_differences_leave_nothing_to_doubt() {
        PairedComparison comparison = compare(new double[] {10, 20, 30, 40, 50}, new double[] {9, 18, 27, 36, 45});

        assertThat(comparison.mean()).isCloseTo(-10, within(1e-9));
        assertThat(comparison.differences())
                .hasSize(5)
                .allSatisfy(d -> assertThat(d).isCloseTo(-10, within(1e-9)));
        Interval interval = Objects.requireNonNull(comparison.interval());
        assertThat(interval.low()).isCloseTo(-10, within(1e-9));
        assertThat(interval.high()).isCloseTo(-10, within(1e-9));
        assertThat(comparison.verdict()).isEqualTo(Verdict.BETTER);
    }

    @Test
    void each_seed_is_compared_with_the_reference_of_its_own_seed_or_with_the_only_one() {
        double[][] seconds = {{10, 20}, {40, 60}};
        EpisodeSample sample = new EpisodeSample(1, false);

        assertThat(PairedComparison.ofSeeds("policy", seconds, "fifo", new double[][] {{20, 20}, {80, 30}}, sample)
                        .differences())
                .extracting(Math::round)
                .containsExactly(-50L, 50L);
        assertThat(PairedComparison.ofSeeds("policy", seconds, "fifo", new double[][] {{20, 20}}, sample)
                        .differences())
                .extracting(Math::round)
                .containsExactly(25L, 100L);
    }

    @Test
    void a_single_episode_has_no_interval_and_no_verdict() {
        PairedComparison comparison = compare(new double[] {10}, new double[] {5});

        assertThat(comparison.mean()).isEqualTo(-50);
        assertThat(comparison.interval()).isNull();
        assertThat(comparison.verdict()).isEqualTo(Verdict.TOO_FEW_EPISODES);
    }

    @Test
    void four_episodes_have_an_interval_but_no_verdict() {
        PairedComparison comparison = compare(new double[] {10, 10, 10, 10}, new double[] {5, 6, 5, 6});

        assertThat(comparison.interval()).isNotNull();
        assertThat(comparison.verdict()).isEqualTo(Verdict.TOO_FEW_EPISODES);
    }

    @Test
    void overlapping_windows_have_an_interval_but_no_p_and_no_verdict() {
        PairedComparison comparison = PairedComparison.of(
                Runs.learned("policy", episodes(5, 6, 5, 6, 5, 6)),
                Runs.heuristic("fifo", episodes(10, 10, 10, 10, 10, 10)),
                new EpisodeSample(1, true));

        assertThat(comparison.interval()).isNotNull();
        assertThat(comparison.significance()).isNull();
        assertThat(comparison.verdict()).isEqualTo(Verdict.WINDOWS_OVERLAP);
        assertThat(PairedComparison.corrected(List.of(comparison, comparison))).containsExactly(comparison, comparison);
    }

    @Test
    void a_difference_that_stands_alone_may_be_none_among_many() {
        PairedComparison alone =
                compare(new double[] {10, 10, 10, 10, 10, 10, 10, 10}, new double[] {8, 9, 10.5, 9, 8.5, 9.5, 10.2, 8});
        assertThat(alone.verdict()).isEqualTo(Verdict.BETTER);
        double p = Objects.requireNonNull(alone.significance()).p();
        assertThat(p).isBetween(0.005, 0.05);

        List<PairedComparison> together = PairedComparison.corrected(Collections.nCopies(12, alone));

        assertThat(together).hasSize(12).allSatisfy(one -> {
            assertThat(Objects.requireNonNull(one.significance()).p()).isEqualTo(p);
            assertThat(Objects.requireNonNull(one.significance()).corrected()).isCloseTo(12 * p, within(1e-12));
            assertThat(one.interval()).isEqualTo(alone.interval());
            assertThat(one.verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 12, 30})
    void the_interval_covers_the_true_difference_in_about_95_of_100_repetitions(int episodes) {
        int repetitions = 400;
        double truth = -4;
        int covered = 0;
        for (int r = 0; r < repetitions; r++) {
            RandomGenerator random = RandomStreams.stream(r, "coverage");
            double[] values = DoubleStream.generate(() -> truth + 6 * random.nextGaussian())
                    .limit(episodes)
                    .toArray();
            Interval interval = BootstrapDistribution.ofMean(values, r).interval();
            if (interval.low() <= truth && truth <= interval.high()) {
                covered++;
            }
        }
        // 0.95 of 400 with a standard deviation of 0.011; six episodes are a few for any bootstrap.
        assertThat(covered / (double) repetitions).isBetween(0.92, 0.98);
    }

    private static PairedComparison compare(double[] reference, double[] ours) {
        return PairedComparison.of(
                Runs.learned("policy", episodes(ours)),
                Runs.heuristic("fifo", episodes(reference)),
                EpisodeSample.independent(1));
    }

    private static RunResult[] episodes(double... jctSeconds) {
        return Arrays.stream(jctSeconds).mapToObj(Runs::episode).toArray(RunResult[]::new);
    }
}
