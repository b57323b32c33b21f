package org.trainyard.experiments.training;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.experiments.report.SeedCurves;
import org.trainyard.experiments.report.TrainingCurve;

/** The training of several seeds side by side, as far as their checkpoints lie in the folders of their runs. */
public final class SeedLogs {
    private final List<TrainingCurve> validation = new ArrayList<>();
    private final List<TrainingCurve> training = new ArrayList<>();
    private String trainingTitle = "";

    /** Adds the run a checkpoint lies in, if it lies in one, under the policy's name. */
    public void add(String name, Checkpoint checkpoint) {
        Path file = checkpoint.log();
        if (file != null) {
            TrainingLog log = TrainingLog.load(file);
            validation.add(log.validation(name));
            training.add(log.training(name));
            trainingTitle = log.trainingTitle();
        }
    }

    /** The figures; none when no checkpoint lies in a run. */
    public List<SeedCurves> curves() {
        return validation.isEmpty()
                ? List.of()
                : List.of(new SeedCurves(TrainingLog.VALIDATION, validation), new SeedCurves(trainingTitle, training));
    }
}
