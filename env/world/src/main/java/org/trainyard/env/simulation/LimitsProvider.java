package org.trainyard.env.simulation;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.topology.Topology;

/**
 * Reads limits on what running jobs hold from the configuration of a resource manager.
 *
 * <p>A jar on the class path offers one by a public class with a public constructor without arguments, whose name
 * stands in its file {@code META-INF/services/org.trainyard.env.simulation.LimitsProvider}.
 */
public interface LimitsProvider {
    /**
     * The limits of a configuration, new ones for each simulation.
     *
     * @throws org.trainyard.env.InputException when the file cannot be read, or, by the supplier, when it does not suit
     *     the topology
     */
    Supplier<HeldLimits> read(String file, Topology topology);

    /** The first provider of the class path, by the name of its class; null when there is none. */
    static @Nullable LimitsProvider installed() {
        return ServiceProviders.first(LimitsProvider.class).orElse(null);
    }
}
