package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.fleet.Fleet;
import org.trainyard.experiments.fleet.FleetTask;
import org.trainyard.experiments.fleet.ThreadFleet;

class ExpertOnFleetTest {
    private static final int UPDATES = 2;
    private static final int EPISODES = 3;
    private static final Path CONFIG = Path.of(
            System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction", "expert-iteration.yaml");
    private static final List<String> SMALL = List.of(
            "cluster=small",
            "learner.start={type: Scratch, hidden: 8}",
            "learner.updates=" + UPDATES,
            "learner.episodes=" + EPISODES,
            "learner.decisions=11",
            "learner.minibatch=4",
            "learner.futures=3",
            "learner.horizon_hours=2",
            "learner.arrival_speeds=[1.0, 1.3]",
            "episodes.jobs=30",
            "episodes.validation=2",
            "episodes.test=1",
            "validate_every=1",
            "checkpoint_every=1",
            "schedulers=[sjf]");

    @TempDir
    private Path folder;

    /** Threads that count the episodes that they label. */
    private static final class CountingFleet implements Fleet {
        private final Fleet threads = new ThreadFleet(2);
        private int labelled;

        @Override
        public void run(FleetTask task, byte[] broadcast, List<byte[]> inputs, Gather gather) {
            labelled += task instanceof ExpertFleet.Task ? inputs.size() : 0;
            threads.run(task, broadcast, inputs, gather);
        }

        @Override
        public void close() {
            threads.close();
        }
    }

    private Path train(String name, @Nullable Fleet fleet) {
        return FleetTrainings.train(CONFIG, SMALL, folder.resolve(name), fleet);
    }

    @Test
    void expert_iteration_whose_episodes_are_labelled_on_a_fleet_learns_the_same_policy() throws IOException {
        Path here = train("here", null);
        try (CountingFleet fleet = new CountingFleet()) {
            Path there = train("there", fleet);
            assertThat(fleet.labelled).isEqualTo(UPDATES * EPISODES);
            FleetTrainings.assertSame(
                    there,
                    here,
                    "checkpoints/best/policy.bin",
                    "checkpoints/last/policy.bin",
                    "checkpoints/last/trainer.bin",
                    "checkpoints/last/log.json",
                    "summary.json");
        }
    }
}
