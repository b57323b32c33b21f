package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.bounds.RelaxedBound;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;

/** Lines below what schedulers reach. */
class HeadroomTest {
    private static final Path CONFIG = Path.of(
            System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction", "scratch-preemption.yaml");

    static RelaxedBound bound(double seconds) {
        return new RelaxedBound(seconds, seconds, seconds);
    }

    @Test
    void without_a_policy_the_lines_are_parts_of_the_best_heuristic() {
        Evaluation evaluation = Evaluation.of(
                List.of(Runs.heuristic("fifo", Runs.episode(20)), Runs.heuristic("sjf", Runs.episode(10))), 1);
        Headroom headroom = Headroom.of(evaluation, new double[] {8}, null, new double[] {5}, List.of(bound(4)));

        assertThat(headroom.against()).isEqualTo("sjf");
        assertThat(headroom.lines()).extracting(Headroom.Line::percent).containsExactly(100.0, 80.0, 50.0, 40.0);
    }

    @Test
    void a_schedule_below_the_bound_would_be_a_mistake_and_is_said_to_be_one() {
        Evaluation evaluation = Evaluation.of(List.of(Runs.heuristic("fifo", Runs.episode(20))), 1);

        assertThatThrownBy(() -> Headroom.of(evaluation, null, null, new double[] {5}, List.of(bound(21))))
                .hasMessage("episode (0) of fifo has a mean JCT of (20.0 s), below the lower bound (21.0 s)");
    }

    @Test
    void on_real_episodes_no_scheduler_passes_the_bound_nor_the_estimate() {
        Experiment experiment = new Experiment(ConfigReader.read(
                CONFIG, List.of("episodes.jobs=150", "episodes.test=3", "workload.generator.offered_load=1.1")));
        List<String> schedulers = List.of("srtf", "tuned:spwf+best-fit+delay=never", "tuned:las+lifw+delay=2");
        Headroom headroom = ExperimentEvaluation.of(
                        experiment, new ExperimentEvaluation.Plan(Map.of(), null, schedulers, false, true))
                .headroom();

        List<Headroom.Line> lines = Objects.requireNonNull(headroom).lines();
        assertThat(lines.get(1).percent())
                .as("taking turns is worth something")
                .isLessThan(lines.get(0).percent());
        for (int episode = 0; episode < 3; episode++) {
            assertThat(lines.get(3).seconds().get(episode))
                    .isPositive()
                    .isLessThan(lines.get(2).seconds().get(episode));
            assertThat(lines.get(2).seconds().get(episode))
                    .isLessThan(lines.get(1).seconds().get(episode));
            assertThat(lines.get(1).seconds().get(episode))
                    .isLessThanOrEqualTo(lines.get(0).seconds().get(episode));
        }
    }
}
