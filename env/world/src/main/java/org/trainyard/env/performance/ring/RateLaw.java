package org.trainyard.env.performance.ring;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.JobSpec;

/**
 * The speed of jobs that are no plain rings: a training plan is a law of its own, or the model of the job has one.
 * Neighbours and contention slow them by the same {@link RingPerformance}.
 */
public interface RateLaw {
    /** The law of a job; null for a ring. */
    static @Nullable RateLaw of(JobSpec job) {
        return job.plan() instanceof RateLaw law ? law : job.model().of(RateLaw.class);
    }

    /** Rate on the placement without any other job, iterations per second, above zero. */
    double aloneRate(JobSpec job, Placement placement, RingPerformance rings);

    /**
     * Upper bound on the rate with so many workers on any placement, iterations per second; 0 when no server has an
     * allowed GPU.
     *
     * @param servers the kinds of servers in the data centre
     */
    double mostIterationsPerSecond(JobSpec job, int workers, Set<ServerSpec> servers);

    /**
     * The stretch of an iteration when other jobs leave it less bandwidth between servers, at least 1.
     *
     * @param alone bandwidth of its ring without other jobs, bytes per second
     * @param now bandwidth that contention leaves it, less than that
     */
    default double stretch(JobSpec job, Placement placement, double alone, double now, RingPerformance rings) {
        return rings.ringStretch(job, placement, alone, now);
    }

    /**
     * Whether the slowdown is that of the worst server and of {@link #stretch contention}; otherwise it is
     * {@link #slowdown}.
     */
    default boolean isLocal() {
        return true;
    }

    /**
     * Slowdown on at least one GPU by all other jobs, at least 1; only for laws that are not {@link #isLocal local}.
     */
    default double slowdown(JobSpec job, Placement placement, Occupancy occupancy, RingPerformance rings) {
        throw new UnsupportedOperationException("slowdowns are local to servers");
    }

    /** Speed of the fastest GPU that the job may use; 0 when there is none. */
    static double fastest(JobSpec job, Set<ServerSpec> servers) {
        return servers.stream()
                .map(ServerSpec::gpuType)
                .filter(type -> job.demand().allows(type.name()))
                .mapToDouble(GpuType::speed)
                .max()
                .orElse(0);
    }
}
