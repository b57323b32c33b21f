package org.trainyard.env.performance;

import java.util.function.IntConsumer;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * The rate of a placed job. Pure: results depend on the arguments alone.
 *
 * <p>The simulator holds one as the truth; a scheduler or a reward may hold another as its belief.
 */
public interface PerformanceModel {
    /** Rate on the placement without any other job in the data centre, iterations per second, above zero. */
    double aloneRate(JobSpec job, Placement placement);

    /**
     * Slowdown of the job on the placement by all other jobs of {@code occupancy}, at least 1. The job itself may or
     * may not be listed there; it is not its own neighbour.
     */
    double slowdown(JobSpec job, Placement placement, Occupancy occupancy);

    /**
     * Whether {@link #slowdown} is the maximum of {@link #slowdownOn} over the placement's servers, and each of these
     * depends only on the jobs of its server; the simulator then recomputes only servers that have changed.
     */
    default boolean isLocal() {
        return false;
    }

    /** Whether slowdowns of this job are local; those of some may be another function of those on their servers. */
    default boolean isLocal(JobSpec job) {
        return isLocal();
    }

    /**
     * Slowdown by the neighbours on the i-th server of the placement, at least 1; only for models that are
     * {@link #isLocal local}.
     */
    default double slowdownOn(int i, JobSpec job, Placement placement, Occupancy occupancy) {
        throw new UnsupportedOperationException("slowdowns are not local to servers");
    }

    /** Whether other jobs can change a rate at all; otherwise the simulator never re-rates. */
    boolean interferes();

    /**
     * Reports the jobs on other servers whose slowdown may change when a job starts or stops on the placement: jobs
     * that share links with it. A job may be reported more than once or without need.
     *
     * @param occupancy after the start; before or after the stop
     */
    default void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {}

    /** This model without random differences between jobs, so that equal jobs have equal rates. */
    default PerformanceModel typical() {
        return this;
    }

    /** A copy for use by another thread, with buffers of its own. */
    PerformanceModel copy();
}
