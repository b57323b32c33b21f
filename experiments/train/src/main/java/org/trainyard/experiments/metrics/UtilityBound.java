package org.trainyard.experiments.metrics;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.simulation.RunResult;

/**
 * An upper bound on the total utility of any schedule of an episode, which a module offers by {@link ServiceLoader}.
 */
public interface UtilityBound {
    /** Null where it is not known. */
    @Nullable Double of(RunResult episode);

    /** The one that is here; without one no bound is known. */
    static UtilityBound installed() {
        return ServiceProviders.first(UtilityBound.class).orElse(episode -> null);
    }
}
