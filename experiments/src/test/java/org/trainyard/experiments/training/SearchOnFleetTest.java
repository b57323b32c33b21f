package org.trainyard.experiments.training;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.fleet.Fleet;
import org.trainyard.experiments.fleet.ThreadFleet;

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
        return FleetTrainings.train(CONFIG, SMALL, folder.resolve(name), fleet);
    }

    @Test
    void a_search_whose_trials_run_on_a_fleet_finds_the_same_rule() throws IOException {
        Path here = train("here", null);
        try (Fleet fleet = new ThreadFleet(2)) {
            Path there = train("there", fleet);
            FleetTrainings.assertSame(
                    there,
                    here,
                    "checkpoints/best/policy.bin",
                    "checkpoints/last/trainer.bin",
                    "checkpoints/last/log.json",
                    "summary.json");
        }
    }
}
