package org.trainyard.experiments.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.PolicyFiles;

/** Heuristics that take turns, held against the same heuristics alone. */
class SwitchingSchedulerTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "quickstart.yaml");

    private static Headroom headroom(String... names) {
        Experiment experiment =
                new Experiment(ConfigReader.read(CONFIG, List.of("episodes.jobs=60", "episodes.test=6")));
        return Objects.requireNonNull(ExperimentEvaluation.of(
                        experiment, new ExperimentEvaluation.Plan(Map.of(), null, List.of(names), false, true))
                .headroom());
    }

    private static List<Double> line(Headroom headroom, String name) {
        return headroom.lines().stream()
                .filter(line -> line.name().equals(name))
                .findFirst()
                .orElseThrow()
                .seconds();
    }

    @Test
    void taking_turns_is_never_worse_than_the_best_alone_and_sometimes_better() {
        Headroom headroom = headroom("las", "fifo", "srtf", "lif");
        List<Double> best = line(headroom, "best heuristic");
        List<Double> switched = line(headroom, "rollout");
        int better = 0;
        for (int i = 0; i < best.size(); i++) {
            assertThat(switched.get(i)).isLessThanOrEqualTo(best.get(i));
            better += switched.get(i) < best.get(i) ? 1 : 0;
        }
        assertThat(better).isPositive();
    }

    @Test
    void one_alone_takes_no_turns() {
        Headroom headroom = headroom("srtf");
        assertThat(line(headroom, "rollout")).isEqualTo(line(headroom, "best heuristic"));
    }

    @Test
    void a_trained_policy_that_takes_turns_with_heuristics_is_never_worse_than_either() {
        Path shipped = Path.of(System.getProperty("trainyard.root", ".."), "checkpoints", "default", "policy.bin");
        try (Experiment experiment =
                new Experiment(ConfigReader.read(CONFIG, List.of("episodes.jobs=60", "episodes.test=4")))) {
            ExperimentEvaluation evaluated = ExperimentEvaluation.of(
                    experiment,
                    new ExperimentEvaluation.Plan(
                            Map.of("learned", new ExperimentEvaluation.Trained(() -> PolicyFiles.load(shipped), null)),
                            null,
                            List.of("las", "srtf"),
                            false,
                            true));
            Headroom headroom = Objects.requireNonNull(evaluated.headroom());
            List<Double> turns = line(headroom, "rollout with policy");
            double[] learned = evaluated.evaluation().runs("learned").meanJctSeconds();
            for (int i = 0; i < learned.length; i++) {
                assertThat(turns.get(i))
                        .isLessThanOrEqualTo(learned[i])
                        .isLessThanOrEqualTo(line(headroom, "best heuristic").get(i));
            }
        }
    }
}
