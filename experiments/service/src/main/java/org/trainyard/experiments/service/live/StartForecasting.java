package org.trainyard.experiments.service.live;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Forecasts when a job that is submitted to a live cluster now would start. A module offers it by
 * {@link ServiceLoader}; without one the service has no forecasts.
 */
public interface StartForecasting {
    /**
     * The job of a question.
     *
     * @param limitSeconds its time limit; 0 for none
     */
    record Asked(
            int gpus,
            double limitSeconds,
            @Nullable String user,
            @Nullable String group) {}

    /**
     * Reads the state of a cluster.
     *
     * @param limitSeconds time limits of jobs of the view that its events did not tell, by name
     * @param scheduler name of the scheduler that places jobs
     * @param fresh makes that scheduler for a future
     * @return computes the forecast, as {@code when --json} has it, without the view
     */
    Supplier<Object> of(
            SimView view,
            Topology topology,
            Asked asked,
            Map<String, Long> limitSeconds,
            String scheduler,
            Supplier<Scheduler> fresh,
            long seed);

    /** The one that is here, or null. */
    static @Nullable StartForecasting installed() {
        return ServiceLoader.load(StartForecasting.class, StartForecasting.class.getClassLoader())
                .findFirst()
                .orElse(null);
    }
}
