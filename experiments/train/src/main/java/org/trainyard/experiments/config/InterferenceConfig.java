package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.atLeast;

import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.io.InputFiles;

/** Slowdown by co-located jobs in the ground truth. */
public sealed interface InterferenceConfig {
    /** The interference model of the simulator; reads the file when there is one. */
    InterferenceModel model();

    /** Whether it contains slowdown by sharing a network card. */
    boolean countsNic();

    /**
     * An analytic law of pressure and sensitivity; {@link AnalyticInterference} defines the weights.
     *
     * @param socketWeight for sharing a CPU socket
     * @param pcieWeight for sharing the server's PCIe tree
     * @param nicWeight for sharing the network card; must be 0 with a contention model
     * @param gpuWeight for sharing a GPU
     */
    record Analytic(double socketWeight, double pcieWeight, double nicWeight, double gpuWeight)
            implements InterferenceConfig {
        public Analytic {
            atLeast(0, "socketWeight", socketWeight);
            atLeast(0, "pcieWeight", pcieWeight);
            atLeast(0, "nicWeight", nicWeight);
            atLeast(0, "gpuWeight", gpuWeight);
        }

        @Override
        public InterferenceModel model() {
            return new AnalyticInterference(socketWeight, pcieWeight, nicWeight, gpuWeight);
        }

        @Override
        public boolean countsNic() {
            return nicWeight > 0;
        }
    }

    /**
     * Measured slowdowns of pairs of models; pairs that were not measured are interpolated.
     *
     * @param file {@code measurements.csv} as a fit writes it
     */
    record Measured(String file) implements InterferenceConfig {
        @Override
        public InterferenceModel model() {
            return MeasuredWorld.read(InputFiles.readable(InputFiles.path(file)));
        }

        @Override
        public boolean countsNic() {
            return true;
        }
    }
}
