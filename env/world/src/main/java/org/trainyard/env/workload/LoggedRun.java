package org.trainyard.env.workload;

/**
 * When a job ran, as somebody logged it.
 *
 * @param startNanos its first start, from the trace's own zero
 * @param endNanos its end; between the two it may have been preempted
 * @param facts what else is known of the run
 */
public record LoggedRun(long startNanos, long endNanos, LoggedFacts facts) {
    public LoggedRun {
        if (startNanos < 0 || endNanos < startNanos) {
            throw new IllegalArgumentException("a run from (%d ns) must end at or after its start, not at (%d ns)"
                    .formatted(startNanos, endNanos));
        }
    }

    /** A run of which no more is known. */
    public LoggedRun(long startNanos, long endNanos) {
        this(startNanos, endNanos, LoggedFacts.NONE);
    }

    LoggedRun moved(long nanos) {
        return new LoggedRun(startNanos + nanos, endNanos + nanos, facts);
    }
}
