package org.trainyard.env.simulation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;

/** Is told everything that enters a simulator's event log, in the log's order. */
@FunctionalInterface
public interface EventSink {
    /**
     * @param job the job; of a DOWN or an UP the server, or -1 when the argument says a GPU
     * @param argument the domain of a FORWARD, the number of GPUs of a START or a RESIZE, the GPU of a DOWN or an UP of one, else 0
     * @param placement the GPUs of a START or a RESIZE, else null
     */
    void event(long timeNanos, EventKind kind, int job, int argument, @Nullable Placement placement);
}
