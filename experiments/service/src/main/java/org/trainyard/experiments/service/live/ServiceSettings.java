package org.trainyard.experiments.service.live;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.experiments.service.target.ServedScheduler;

/**
 * How a service decides.
 *
 * @param served the scheduler that decides
 * @param fallback the heuristic that decides when the other is late, fails or proposes an impossible decision
 * @param belief how much jobs slow each other down
 * @param physics rates, restart costs, quotas and checkpoints in place of those that follow from the belief, or null;
 *     its outages are not read
 * @param runtime the predictor of run times; it learns from jobs that end
 * @param seed root of random streams, also of the models drawn for jobs without one
 * @param budgetNanos time after which the fallback decides
 * @param clock the real time
 */
public record ServiceSettings(
        ServedScheduler served,
        ServedScheduler fallback,
        InterferenceModel belief,
        @Nullable PhysicsConfig physics,
        RuntimeConfig runtime,
        long seed,
        long budgetNanos,
        Limits limits,
        ServiceClock clock) {
    /** By the clock of the system. */
    public ServiceSettings(
            ServedScheduler served,
            ServedScheduler fallback,
            InterferenceModel belief,
            @Nullable PhysicsConfig physics,
            RuntimeConfig runtime,
            long seed,
            long budgetNanos,
            Limits limits) {
        this(served, fallback, belief, physics, runtime, seed, budgetNanos, limits, ServiceClock.SYSTEM);
    }

    /** Returns these settings with another clock. */
    public ServiceSettings with(ServiceClock other) {
        return new ServiceSettings(served, fallback, belief, physics, runtime, seed, budgetNanos, limits, other);
    }

    /** Returns these settings with another budget and other limits. */
    ServiceSettings with(long newBudgetNanos, Limits newLimits) {
        return new ServiceSettings(served, fallback, belief, physics, runtime, seed, newBudgetNanos, newLimits, clock);
    }

    /**
     * Upper limits.
     *
     * @param clusters registered at once
     * @param jobs ever submitted to a cluster
     * @param skewNanos by which an event or a question may be further ahead of the last event than real time has passed
     *     since
     */
    public record Limits(int clusters, int servers, int gpus, int jobs, int events, long skewNanos) {
        public static final Limits DEFAULT = new Limits(16, 5_000, 100_000, 1_000_000, 10_000, 600_000_000_000L);

        /**
         * Returns these limits with other bounds on the servers of a cluster and on the skew of clocks, nanoseconds.
         */
        public Limits with(int newServers, long newSkewNanos) {
            return new Limits(clusters, newServers, gpus, jobs, events, newSkewNanos);
        }
    }

    /** Model of a cluster by the belief: rates, restart costs, quotas, checkpoints and run times. */
    World world(Topology topology) {
        World world = physics == null
                ? new World(
                        topology,
                        new RingPerformance(topology, belief),
                        Simulator.Options.DEFAULT.with(new Quotas(Map.of())))
                : new World(topology, physics.truth(topology, seed), physics.options(topology, seed));
        return world.telling(RuntimePredictors.of(runtime, seed));
    }
}
