package org.trainyard.interference.model;

import java.nio.file.Path;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.performance.InterferenceModel;

/** The interference models that measurements give to a simulation or an agent, which a module offers. */
public interface InterferenceFiles {
    /**
     * Slowdowns of a world.
     *
     * @param remarks on rows of its file that are not used
     */
    record Law(InterferenceModel model, List<String> remarks) {
        public Law {
            remarks = List.copyOf(remarks);
        }
    }

    /** The model that ships with the project, fitted to published measurements. */
    InterferenceModel shipped();

    /**
     * Reads the model of a belief.
     *
     * @param folder with a {@code model.json}
     * @throws InputException when the file is missing, damaged or of another format
     */
    InterferenceModel read(Path folder);

    /** The file whose bytes determine the model of {@link #read}: it holds the checksums of the files beside it. */
    Path file(Path folder);

    /**
     * The law of a world whose pairs of models were measured.
     *
     * @throws InputException when the file has another format, or a row of the user's that would not be used
     */
    Law law(Path file);

    /**
     * The models that are here.
     *
     * @param place of the name in messages
     * @param expected without them
     * @throws InputException where no module offers them
     */
    static InterferenceFiles installed(String place, String name, String expected) {
        return ServiceProviders.first(InterferenceFiles.class)
                .orElseThrow(() -> InputException.at(place, name, expected + ", for experiments/beliefs is not here"));
    }
}
