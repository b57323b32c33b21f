package org.trainyard.experiments.service.live;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.experiments.service.target.ServedScheduler;

/**
 * How a service decides.
 *
 * @param served the scheduler that decides
 * @param fallback the heuristic that decides when the other is late, fails or proposes what is impossible
 * @param belief how much jobs slow each other down
 * @param physics rates, restart costs, quotas and checkpoints in place of those that follow from the belief, or
 *     null; its outages are not read
 * @param runtime the predictor of run times; it learns from jobs that end
 * @param seed root of random streams, also of the models drawn for jobs without one
 * @param budgetNanos time after which the fallback decides
 * @param limits of what a request may ask for
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
    private static final long RESTART_NANOS = 30_000_000_000L;

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
     * @param servers of a cluster
     * @param gpus of a cluster
     * @param jobs ever submitted to a cluster
     * @param events of a request
     * @param skewNanos by which an event or a question may be further ahead of the last event than real time has
     *     passed since
     */
    public record Limits(int clusters, int servers, int gpus, int jobs, int events, long skewNanos) {
        public static final Limits DEFAULT = new Limits(16, 5_000, 100_000, 1_000_000, 10_000, 600_000_000_000L);

        /**
         * Returns these limits with other bounds on the servers of a cluster and on the skew of clocks,
         * nanoseconds.
         */
        public Limits with(int newServers, long newSkewNanos) {
            return new Limits(clusters, newServers, gpus, jobs, events, newSkewNanos);
        }
    }

    /** The belief about rates on a cluster; for one live cluster. */
    PerformanceModel performance(Topology topology) {
        return physics == null ? new RingPerformance(topology, belief) : physics.truth(topology, seed);
    }

    /** Restart costs, quotas and checkpoints. */
    Simulator.Options options(Topology topology) {
        return physics == null
                ? new Simulator.Options(RESTART_NANOS, false).with(new Quotas(Map.of()))
                : physics.options(topology, seed);
    }

    RuntimePredictor predictor() {
        return RuntimePredictors.of(runtime, seed).apply(Workload.open());
    }
}
