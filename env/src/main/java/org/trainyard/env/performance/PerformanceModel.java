package org.trainyard.env.performance;

import java.util.function.IntConsumer;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * How fast a placed job runs. Pure: the answer depends on the arguments alone.
 *
 * <p>The simulator holds one as the truth; a scheduler or a reward may hold another as its belief.
 */
public interface PerformanceModel {
    /** Iterations per second on the placement with nobody else in the data centre, above zero. */
    double aloneRate(JobSpec job, Placement placement);

    /**
     * Slowdown of the job on the placement by everybody else in {@code occupancy}, at least 1. The job itself may or may not be
     * listed there; it is not its own neighbour.
     */
    double slowdown(JobSpec job, Placement placement, Occupancy occupancy);

    /**
     * Whether {@link #slowdown} is the greatest of {@link #slowdownOn} over the placement's servers, each of which depends on who is
     * on that server alone; the simulator then asks again only about servers where something has changed.
     */
    default boolean isLocal() {
        return false;
    }

    /** Slowdown by the neighbours on the i-th server of the placement, at least 1; only of a model that {@link #isLocal}. */
    default double slowdownOn(int i, JobSpec job, Placement placement, Occupancy occupancy) {
        throw new UnsupportedOperationException("slowdowns are not local to servers");
    }

    /** Whether neighbours can change a rate at all; when not, the simulator never re-rates. */
    boolean interferes();

    /**
     * Names the jobs, beyond those on the placement's own servers, whose slowdown may change when a job takes or leaves the
     * placement: those it meets on links elsewhere. A job may be named more than once, and one that is not touched may be named too.
     *
     * @param occupancy after the placement was taken; before or after it was left
     */
    default void touch(Placement placement, Occupancy occupancy, IntConsumer touched) {}

    /** This model without what differs from job to job by chance, so that the rate of one job holds for its like. */
    default PerformanceModel typical() {
        return this;
    }

    /** A copy for use by another thread, with buffers of its own. */
    PerformanceModel copy();
}
