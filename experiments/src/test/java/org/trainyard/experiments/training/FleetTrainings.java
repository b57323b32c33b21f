package org.trainyard.experiments.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.fleet.Fleet;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.run.Experiment;

/** Whole trainings in the process or on a fleet, and the comparison of what they write. */
final class FleetTrainings {
    private FleetTrainings() {}

    /** Trains a config with overrides into a new folder, which it returns; on no fleet where that is null. */
    static Path train(Path file, List<String> overrides, Path folder, @Nullable Fleet fleet) {
        ExperimentConfig config = ConfigReader.read(file, overrides);
        try (RunDirectory directory =
                        RunDirectory.create(folder, ConfigWriter.yaml(config), RunDirectory.OtherRun.REFUSE);
                TrainingSession session = new TrainingSession(new Experiment(config, fleet), directory, false)) {
            session.trainAndCompare(new PrintWriter(Writer.nullWriter()));
            return directory.root();
        }
    }

    /** Asserts that two runs wrote these files with the same bytes. */
    static void assertSame(Path there, Path here, String... files) throws IOException {
        for (String file : files) {
            assertThat(Files.mismatch(there.resolve(file), here.resolve(file)))
                    .as(file)
                    .isEqualTo(-1);
        }
    }
}
