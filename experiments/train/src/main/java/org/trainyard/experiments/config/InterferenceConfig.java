package org.trainyard.experiments.config;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.interference.model.InterferenceFiles;

/** Slowdown by co-located jobs in the ground truth. */
public sealed interface InterferenceConfig {
    /** The law of the simulator; reads the file when there is one. */
    InterferenceFiles.Law read();

    /** The interference model of the simulator; reads the file when there is one. */
    default InterferenceModel model() {
        return read().model();
    }

    /** Whether it contains slowdown by sharing a network card. */
    boolean countsNic();

    /**
     * An analytic law of pressure and sensitivity; its weight of the network card must be 0 with a contention model.
     */
    record Analytic(@JsonUnwrapped AnalyticInterference law) implements InterferenceConfig {
        @Override
        public InterferenceFiles.Law read() {
            return new InterferenceFiles.Law(law, List.of());
        }

        @Override
        public boolean countsNic() {
            return law.nicWeight() > 0;
        }
    }

    /**
     * Measured slowdowns of pairs of models; pairs that were not measured are interpolated.
     *
     * @param file as {@link InterferenceFiles#law} reads it
     */
    record Measured(String file) implements InterferenceConfig {
        @Override
        public InterferenceFiles.Law read() {
            return InterferenceFiles.installed("physics.interference", file, "type Analytic")
                    .law(InputFiles.readable(InputFiles.path(file)));
        }

        @Override
        public boolean countsNic() {
            return true;
        }
    }
}
