package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.fleet.Fleet;
import org.trainyard.experiments.fleet.ThreadFleet;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.run.Experiment;

class SearchOnFleetTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "learned", "rule.yaml");
    private static final List<String> SMALL = List.of(
            "learner.generations=2",
            "learner.population=5",
            "learner.elites=2",
            "learner.episodes=2",
            "episodes.jobs=20",
            "episodes.validation=2",
            "episodes.test=1",
            "validate_every=1",
            "schedulers=[sjf]");

    @TempDir
    private Path folder;

    private Path train(String name, @Nullable Fleet fleet) {
        ExperimentConfig config = ConfigReader.read(CONFIG, SMALL);
        RunDirectory directory =
                RunDirectory.create(folder.resolve(name), ConfigWriter.yaml(config), RunDirectory.OtherRun.REFUSE);
        try (TrainingSession session = new TrainingSession(new Experiment(config, fleet), directory, false)) {
            session.trainAndCompare(new PrintWriter(Writer.nullWriter()));
        }
        return directory.root();
    }

    @Test
    void a_search_whose_trials_run_on_a_fleet_finds_the_same_rule() throws IOException {
        Path here = train("here", null);
        try (Fleet fleet = new ThreadFleet(2)) {
            Path there = train("there", fleet);
            for (String file : List.of(
                    "checkpoints/best/policy.bin",
                    "checkpoints/last/trainer.bin",
                    "checkpoints/last/log.json",
                    "summary.json")) {
                assertThat(Files.mismatch(there.resolve(file), here.resolve(file)))
                        .as(file)
                        .isEqualTo(-1);
            }
        }
    }
}
