package org.trainyard.interference.fit;

import java.nio.file.Files;
import java.nio.file.Path;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;

/**
 * Reads the interference model of either fit: the folder of a fit to measurements, or the file of a fit to
 * simulated co-locations.
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
     * Reads a model.
     *
     * @param path a folder with a {@code model.json}, or a file
     * @throws InputException when the file is missing, damaged or of another format
     */
    public static InterferenceModel read(Path path) {
        if (Files.isDirectory(path) && !FittedFiles.isOne(path)) {
            throw InputException.at(
                    "interference model", path, "a folder that 'fit interference --data' wrote, or a file");
        }
        if (Files.isDirectory(path)) {
            return new LearnedInterference(FittedFiles.read(path));
        }
        return PressureFile.load(path).model();
    }

    /**
     * The file whose bytes determine the model of {@link #read}: {@code model.json} holds the checksums of the
     * files beside it.
     */
    public static Path file(Path path) {
        return Files.isDirectory(path) ? path.resolve(FittedFiles.MODEL) : path;
    }
}
