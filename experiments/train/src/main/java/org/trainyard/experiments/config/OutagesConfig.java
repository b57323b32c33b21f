package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.within;

import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.InputFiles;

/** Outages of servers and GPUs, and the interval of checkpoints, which bounds the work lost. */
sealed interface OutagesConfig {
    /** The outages of the simulator; random ones are drawn from a stream of the seed. */
    Outages outages(Topology topology, long seed);

    /** Minutes between checkpoints of a running job; 0 when no work is lost. */
    double checkpointMinutes();

    /** No outages. */
    record None() implements OutagesConfig {
        @Override
        public Outages outages(Topology topology, long seed) {
            return Outages.NONE;
        }

        @Override
        public double checkpointMinutes() {
            return 0;
        }
    }

    /**
     * Exponentially distributed times to failure and to repair.
     *
     * @param serverHours mean time to failure of a server, 0 for never
     * @param gpuHours mean time to failure of a GPU, 0 for never
     * @param repairHours mean time to repair
     * @param checkpointMinutes minutes between checkpoints of a job, 0 when no work is lost
     */
    record Exponential(double serverHours, double gpuHours, double repairHours, double checkpointMinutes)
            implements OutagesConfig {
        public Exponential {
            within(0, 1e9, "serverHours", serverHours);
            within(0, 1e9, "gpuHours", gpuHours);
            above(0, "repairHours", repairHours);
            within(0, 1e6, "repairHours", repairHours);
            within(0, 1e9, "checkpointMinutes", checkpointMinutes);
        }

        @Override
        public Outages outages(Topology topology, long seed) {
            return new Outages.Exponential(
                    orNever(serverHours), orNever(gpuHours), repairHours, RandomStreams.derive(seed, "outages"));
        }

        private static double orNever(double hours) {
            return hours == 0 ? Double.POSITIVE_INFINITY : hours;
        }
    }

    /** Recorded outages in a CSV file; see {@link OutageLog}. */
    record Recorded(String file, double checkpointMinutes) implements OutagesConfig {
        public Recorded {
            within(0, 1e9, "checkpointMinutes", checkpointMinutes);
        }

        @Override
        public Outages outages(Topology topology, long seed) {
            return OutageLog.read(InputFiles.readable(InputFiles.path(file)), topology);
        }
    }
}
