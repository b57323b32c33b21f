package org.trainyard.experiments.run;

import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.LearnedInterference;
import org.trainyard.interference.fit.PressureFile;

/** The interference models that schedulers and rewards believe in. */
public final class Beliefs {
    /** Root mean squared difference of slowdowns below which two models count as one function. */
    private static final double SAME = 1e-6;

    private Beliefs() {}

    /** The model called {@code shipped}, {@code measured} or {@code none}, or that of a fitted file. */
    public static InterferenceModel named(String name) {
        return switch (name) {
            case "shipped" -> PressureFile.shipped().model();
            case ConfigReader.BELIEF_MEASURED -> new LearnedInterference(FittedFiles.shipped());
            case ConfigReader.BELIEF_NONE -> InterferenceModel.NONE;
            default ->
                PressureFile.load(InputFiles.readable(InputFiles.path(name))).model();
        };
    }

    /**
     * Refuses a belief that equals the truth, because schedulers would then know the simulator's own law, which nobody knows of a real
     * cluster.
     *
     * @param place key or option that names the belief
     * @param truth the interference of the simulator
     */
    public static void requireNotTruth(String place, String name, InterferenceModel belief, InterferenceModel truth) {
        if (TruthMismatch.between(belief, truth).rmse() < SAME) {
            throw InputException.at(
                    place,
                    name,
                    "another model than the interference of the simulator, because it is the truth itself");
        }
    }
}
