package org.trainyard.agents.heuristic.lease;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;

/** A delay-scheduling policy: how long a pending job waits for a consolidated placement. */
interface DelayPolicy {
    /** No delay: every job accepts any placement. */
    DelayPolicy NONE = (view, job, span) -> Long.MIN_VALUE;

    /**
     * The time from which the job, if it remains pending, accepts a placement of that span; {@link Long#MAX_VALUE} for
     * never. Not later for a smaller span.
     */
    long acceptsNanos(SimView view, int job, Locality span);

    /** Called before the pending job starts on a placement of that span. */
    default void accepted(SimView view, int job, Locality span) {}
}
