package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.atLeast;

import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.io.InputFiles;

/** How much jobs slow each other down in the true world. */
public sealed interface InterferenceConfig {
    /** What the simulator is given; reads the file when there is one. */
    InterferenceModel model();

    /** Whether it slows jobs down for sharing a network card. */
    boolean countsNic();

    /**
     * A law of pressures and sensitivities; for the weights see {@link AnalyticInterference}.
     *
     * @param socketWeight inside a socket
     * @param pcieWeight on the server's PCIe tree
     * @param nicWeight on its network card; 0 where contention counts that
     * @param gpuWeight on a GPU that jobs share
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
     * Measured pairs, interpolated where nobody measured.
     *
     * @param file the measurements.csv of a fit
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
