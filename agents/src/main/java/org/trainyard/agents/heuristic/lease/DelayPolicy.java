package org.trainyard.agents.heuristic.lease;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Locality;

/** How long a waiting job holds out for GPUs that lie close together. */
interface DelayPolicy {
    /** Every job takes what there is. */
    DelayPolicy NONE = (view, job, span) -> Long.MIN_VALUE;

    /**
     * From when on the job takes GPUs spread over that much of the data centre if it goes on waiting; {@link Long#MAX_VALUE} for never.
     * Not later for a smaller span.
     */
    long acceptsNanos(SimView view, int job, Locality span);

    /** Is told that the job, which was waiting, is about to start on GPUs spread so far. */
    default void accepted(SimView view, int job, Locality span) {}
}
