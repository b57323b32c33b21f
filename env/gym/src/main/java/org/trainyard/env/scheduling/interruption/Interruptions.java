package org.trainyard.env.scheduling.interruption;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/** Interrupts running jobs for agents that may preempt. A module offers it by {@link ServiceLoader}. */
public interface Interruptions {
    /**
     * The agents that ask.
     *
     * @param topology as they believe it to be
     * @param belief their interference model, not that of the simulator
     * @param choice that of the sets that they bid for
     */
    record Agents(Topology topology, InterferenceModel belief, SetChoice choice) {}

    /**
     * Planners of evictions.
     *
     * @param remaining what the lower of two jobs goes first by: estimated remaining time, seconds, or that times a
     *     power of the GPUs
     * @param builder an empty builder of the same cluster
     */
    EvictionPlanning evictions(Agents agents, SimView view, Rank remaining, PlacementBuilder builder);

    /**
     * A search for migrations.
     *
     * @param remaining estimated remaining time of a job at full speed, seconds
     * @param most jobs that come into question at a moment
     */
    MigrationSearch migrations(Agents agents, Rank remaining, int most);

    /** Planners of evictions on a cluster. */
    int planners(Topology topology);

    /**
     * The first of the class path, by the name of its class.
     *
     * @throws InputException when there is none
     */
    static Interruptions installed() {
        Interruptions found = Installed.FIRST;
        if (found == null) {
            throw InputException.at(
                    "environment.preemption",
                    true,
                    "false, for this installation lacks the preemption of running jobs");
        }
        return found;
    }

    /** The implementation on the class path, found once. */
    final class Installed {
        private static final @Nullable Interruptions FIRST =
                ServiceProviders.first(Interruptions.class).orElse(null);

        private Installed() {}
    }
}
