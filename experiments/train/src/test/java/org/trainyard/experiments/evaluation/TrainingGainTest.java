package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.simulation.RunResult;

/** What training gained, on results made by hand. */
class TrainingGainTest {
    private static SchedulerRuns runs(String name, SchedulerRuns.Role role, double... meanJctSeconds) {
        List<RunResult> episodes = new ArrayList<>();
        for (double seconds : meanJctSeconds) {
            episodes.add(Runs.episode(seconds));
        }
        return new SchedulerRuns(name, role, episodes);
    }

    private static SchedulerRuns learned(String name, double... seconds) {
        return runs(name, SchedulerRuns.Role.LEARNED, seconds);
    }

    private static SchedulerRuns untrained(String name, double... seconds) {
        return runs(name, SchedulerRuns.Role.UNTRAINED, seconds);
    }

    private static Evaluation of(SchedulerRuns learned, SchedulerRuns untrained) {
        return Evaluation.of(
                List.of(learned, untrained, runs("fifo", SchedulerRuns.Role.HEURISTIC, 90, 90, 90, 90, 90)),
                Map.of(learned.name(), untrained.name()),
                EpisodeSample.independent(1));
    }

    @Test
    void the_gain_is_the_paired_shortening_of_the_mean_jct() {
        Evaluation evaluation =
                of(learned("learned", 80, 82, 78, 81, 79), untrained("untrained", 100, 100, 100, 100, 100));

        TrainingGain gain = evaluation.gains().get(0);
        PairedComparison.Interval interval = Objects.requireNonNull(gain.interval());
        assertThat(gain.percent()).isCloseTo(20, within(1e-9));
        assertThat(interval.low()).isBetween(17.0, 20.0);
        assertThat(interval.high()).isBetween(20.0, 23.0);
        assertThat(gain.sentence())
                .startsWith("learned: training gained 20.0 % (")
                .endsWith("against untrained.");
    }

    @Test
    void a_gain_within_the_noise_is_called_none_and_a_loss_a_loss() {
        assertThat(of(learned("learned", 99, 103, 97, 101, 100), untrained("untrained", 100, 100, 100, 100, 100))
                        .gains()
                        .get(0)
                        .sentence())
                .contains("no gain that these episodes can show");
        assertThat(of(learned("learned", 120, 121, 122, 123, 124), untrained("untrained", 100, 100, 100, 100, 100))
                        .gains()
                        .get(0)
                        .sentence())
                .contains("training gained -22.0 %", "worse");
    }

    /** Four short episodes are a tenth longer, a long one a tenth shorter: 1 - 1340/1400 of all, -6 % on average. */
    @Test
    void a_gain_over_all_jobs_of_another_sign_is_said() {
        Evaluation evaluation =
                of(learned("learned", 110, 110, 110, 110, 900), untrained("untrained", 100, 100, 100, 100, 1000));

        TrainingGain gain = evaluation.gains().get(0);
        assertThat(gain.percent()).isCloseTo(-6, within(1e-9));
        assertThat(gain.overJobs()).isCloseTo(100 * (1 - 1340.0 / 1400), within(1e-9));
        assertThat(gain.sentence())
                .startsWith("learned: training gained -6.0 % (")
                .endsWith(" against untrained as the mean over episodes, but 4.3 % by the mean JCT over all jobs:"
                        + " no gain that these episodes can show.");
    }

    @Test
    void an_untrained_policy_is_no_reference_and_no_rival() {
        Evaluation evaluation = of(learned("learned", 80, 80, 80, 80, 80), untrained("untrained", 50, 50, 50, 50, 50));

        assertThat(evaluation.reference()).isEqualTo("fifo");
        assertThat(evaluation.duels()).extracting(PairedComparison::reference).containsExactly("fifo");
        assertThat(evaluation.comparison("untrained")).isNotNull();
    }

    @Test
    void each_seed_of_a_pool_is_compared_with_its_own_start() {
        Evaluation evaluation = Evaluation.pooled(
                List.of(
                        learned("learned/1", 50, 60),
                        learned("learned/2", 30, 20),
                        untrained("untrained/1", 100, 100),
                        untrained("untrained/2", 40, 40)),
                "learned (mean of 2)",
                null,
                Map.of("learned/1", "untrained/1", "learned/2", "untrained/2"),
                EpisodeSample.independent(1));

        PairedComparison gain = evaluation.gains().get(0).comparison();
        assertThat(evaluation.gains()).hasSize(1);
        assertThat(gain.reference()).isEqualTo("untrained (mean of 2)");
        assertThat(gain.differences()).containsExactly(-37.5, -45.0);
        assertThat(evaluation.gains().get(0).overJobs()).isCloseTo(100 * (1 - 160.0 / 280), within(1e-9));
    }
}
