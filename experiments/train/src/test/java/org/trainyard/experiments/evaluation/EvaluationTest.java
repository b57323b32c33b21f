package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.evaluation.SchedulerRuns.Role;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.metrics.Statistics;

class EvaluationTest {
    @Test
    void scores_are_over_all_jobs_of_all_episodes() {
        Evaluation evaluation =
                Evaluation.of(List.of(Runs.heuristic("fifo", Runs.episode(1, 2, 3), Runs.episode(10))), 1);

        SchedulerScore score = evaluation.scores().get(0);
        assertThat(score.jobs()).isEqualTo(4);
        assertThat(score.jct().mean()).isEqualTo(4);
        assertThat(score.jct().median()).isEqualTo(2.5);
        assertThat(score.jct().p95()).isCloseTo(3 + 0.85 * 7, within(1e-12));
        assertThat(score.jct().p99()).isCloseTo(3 + 0.97 * 7, within(1e-12));
        assertThat(score.makespan()).isEqualTo((5 + 10) / 2.0);
        assertThat(score.figures().waiting().mean()).isZero();
        assertThat(score.slowdownMean()).isEqualTo(1);
        assertThat(score.gpuUtilisation()).isEqualTo((6 + 10) / (4.0 * (5 + 10)));
        assertThat(score.decisions()).isEqualTo(4);
    }

    @Test
    void the_hash_is_that_of_the_lines_of_the_episodes_hashes() throws Exception {
        RunResult one = Runs.episode(1);
        RunResult two = Runs.episode(2);

        SchedulerScore score = Evaluation.of(List.of(Runs.heuristic("fifo", one, two)), 1)
                .scores()
                .get(0);

        byte[] lines = (one.eventLogSha256() + "\n" + two.eventLogSha256() + "\n").getBytes(StandardCharsets.UTF_8);
        assertThat(score.eventLogSha256())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(lines)));
    }

    @Test
    void means_do_not_overflow_however_long_the_jobs() {
        long[] nanos = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};

        assertThat(Statistics.meanSeconds(nanos)).isCloseTo(Long.MAX_VALUE / 1e9, within(1e-3));
    }

    @Test
    void percentiles_interpolate_between_closest_ranks() {
        double[] sorted = {1, 2, 3, 4};

        assertThat(Statistics.percentile(sorted, 0)).isEqualTo(1);
        assertThat(Statistics.percentile(sorted, 0.5)).isEqualTo(2.5);
        assertThat(Statistics.percentile(sorted, 1)).isEqualTo(4);
        assertThat(Statistics.percentile(new double[] {7}, 0.99)).isEqualTo(7);
    }

    @Test
    void the_reference_is_the_best_heuristic_and_never_a_policy_or_a_floor() {
        Evaluation evaluation = Evaluation.of(
                List.of(
                        Runs.heuristic("slow", Runs.episode(9)),
                        Runs.learned("policy", Runs.episode(1)),
                        Runs.heuristic("good", Runs.episode(5)),
                        new SchedulerRuns("lucky random", Role.FLOOR, List.of(Runs.episode(2)))),
                1);

        assertThat(evaluation.reference()).isEqualTo("good");
        assertThat(evaluation.comparisons())
                .extracting(PairedComparison::name)
                .containsExactly("slow", "policy", "lucky random");
        assertThat(evaluation.ranking(RankingMetric.MEAN_JCT))
                .extracting(SchedulerScore::name)
                .containsExactly("policy", "lucky random", "good", "slow");
    }

    @Test
    void without_a_heuristic_nothing_is_compared() {
        Evaluation evaluation = Evaluation.of(List.of(Runs.learned("policy", Runs.episode(1))), 1);

        assertThat(evaluation.reference()).isNull();
        assertThat(evaluation.comparisons()).isEmpty();
    }

    @Test
    void schedulers_that_ran_other_episodes_are_refused() {
        SchedulerRuns one = Runs.heuristic("fifo", Runs.episode(1, 2), Runs.episode(1));

        assertThatThrownBy(() -> Evaluation.of(List.of(one, Runs.learned("policy", Runs.episode(1, 2))), 1))
                .hasMessage("scheduler policy ran (1) episodes, fifo ran (2)");
        assertThatThrownBy(() ->
                        Evaluation.of(List.of(one, Runs.learned("policy", Runs.episode(1, 2), Runs.episode(1, 1))), 1))
                .hasMessage("episode (1) of scheduler policy is not that of fifo");
        assertThatThrownBy(() -> Evaluation.of(List.of(one, one), 1)).hasMessage("scheduler (fifo) appears twice");
        assertThatThrownBy(() -> Evaluation.of(List.of(), 1)).hasMessage("no scheduler to evaluate");
    }
}
