package org.trainyard.interference.fit;

import java.nio.file.Path;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;

/**
 * The interference models that a simulation or an agent may be given.
 */
public final class InterferenceFiles {
    private InterferenceFiles() {}

    /** The model that ships with the project, fitted to published measurements. */
    public static InterferenceModel shipped() {
        return (victim, place) -> Shipped.MODEL.slowdown(victim, place);
    }

    /** Reading it takes longer than a short simulation whose schedulers never ask. */
    private static final class Shipped {
        static final InterferenceModel MODEL = new LearnedInterference(FittedFiles.shipped());
    }

    /**
     * Reads the model of a belief.
     *
     * @param folder with a {@code model.json}
     * @throws InputException when the file is missing, damaged or of another format
     */
    public static InterferenceModel read(Path folder) {
        return new LearnedInterference(FittedFiles.read("belief", folder));
    }

    /** The file whose bytes determine the model of {@link #read}: it holds the checksums of the files beside it. */
    public static Path file(Path folder) {
        return folder.resolve(FittedFiles.MODEL);
    }
}
