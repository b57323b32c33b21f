package org.trainyard.env.simulation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;

/** Receives every event of a simulator's log, in order. */
@FunctionalInterface
public interface EventSink {
    /**
     * @param job the job; for a DOWN or an UP the server, or -1 when the argument is a GPU
     * @param argument the domain of a FORWARD, the number of GPUs of a START or a RESIZE, the GPU of a DOWN or an UP of
     *     one, the layers of a FREEZE, the thousandths of a core of a HOST_CPU and the MiB of a HOST_MEMORY for the
     *     whole job, else 0
     * @param placement the GPUs of a START or a RESIZE, else null
     */
    void event(long timeNanos, EventKind kind, int job, int argument, @Nullable Placement placement);

    /** Passes every event to this sink, then to the other one. */
    default EventSink then(EventSink other) {
        return (timeNanos, kind, job, argument, placement) -> {
            event(timeNanos, kind, job, argument, placement);
            other.event(timeNanos, kind, job, argument, placement);
        };
    }
}
