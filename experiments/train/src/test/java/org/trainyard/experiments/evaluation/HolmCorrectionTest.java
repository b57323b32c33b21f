package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.PairedComparison.Verdict;
import org.trainyard.experiments.metrics.HolmCorrection;

class HolmCorrectionTest {
    @Test
    void four_hypotheses_are_corrected_as_in_the_textbook() {
        // At 5 %, Holm's procedure rejects the first and the last of these and stops at 0.03 > 0.05/2.
        double[] corrected = HolmCorrection.corrected(List.of(0.01, 0.04, 0.03, 0.005));

        assertThat(corrected).containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-12));
    }

    @Test
    void five_hypotheses_are_corrected_as_p_adjust_of_r_does() {
        // R: p.adjust(c(0.05, 0.01, 0.03, 0.04, 0.02), "holm")
        double[] corrected = HolmCorrection.corrected(List.of(0.05, 0.01, 0.03, 0.04, 0.02));

        assertThat(corrected).containsExactly(new double[] {0.09, 0.05, 0.09, 0.09, 0.08}, within(1e-12));
    }

    @Test
    void one_comparison_needs_no_correction_and_none_exceeds_one() {
        assertThat(HolmCorrection.corrected(List.of(0.04))).containsExactly(0.04);
        assertThat(HolmCorrection.corrected(List.of(0.7, 0.4))).containsExactly(0.8, 0.8);
        assertThat(HolmCorrection.corrected(List.of())).isEmpty();
    }

    @Test
    void among_eight_rivals_as_good_as_the_policy_hardly_ever_one_looks_different() {
        // 0.075 is the upper 95 % point of the share among 200 worlds when its probability is 0.05.
        assertThat(worldsWithAVerdict(200, 8, 8)).isLessThanOrEqualTo(0.075);
    }

    @Test
    @Tag("thorough")
    void among_ten_rivals_as_good_as_the_policy_one_looks_different_in_at_most_5_of_100_worlds() {
        assertThat(worldsWithAVerdict(2_000, 10, 12)).isLessThanOrEqualTo(0.05);
    }

    /** Share of worlds with a verdict about any rival, though all are equally good. */
    private static double worldsWithAVerdict(int worlds, int rivals, int episodes) {
        int corrected = 0;
        int uncorrected = 0;
        for (int world = 0; world < worlds; world++) {
            List<PairedComparison> together = PairedComparison.corrected(equallyGood(rivals, episodes, world));
            corrected += together.stream().anyMatch(one -> one.verdict() != Verdict.NO_DIFFERENCE) ? 1 : 0;
            uncorrected += together.stream()
                            .anyMatch(one ->
                                    Objects.requireNonNull(one.significance()).p() < 0.05)
                    ? 1
                    : 0;
        }
        assertThat(uncorrected / (double) worlds).as("without the correction").isGreaterThan(0.15);
        return corrected / (double) worlds;
    }

    /** A policy against rivals whose mean JCTs come from the same distribution, episode by episode. */
    private static List<PairedComparison> equallyGood(int rivals, int episodes, int world) {
        RandomGenerator random = RandomStreams.stream(world, "test/holm");
        SchedulerRuns policy = Runs.learned("policy", drawn(random, episodes));
        List<PairedComparison> comparisons = new ArrayList<>();
        for (int i = 0; i < rivals; i++) {
            comparisons.add(PairedComparison.of(
                    policy, Runs.heuristic("rival " + i, drawn(random, episodes)), EpisodeSample.independent(world)));
        }
        return comparisons;
    }

    private static RunResult[] drawn(RandomGenerator random, int episodes) {
        return random.doubles(episodes)
                .map(ignored -> 1000 + 20 * random.nextGaussian())
                .mapToObj(Runs::episode)
                .toArray(RunResult[]::new);
    }
}
