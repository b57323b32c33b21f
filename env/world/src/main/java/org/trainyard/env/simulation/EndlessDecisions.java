package org.trainyard.env.simulation;

import java.time.Duration;

/** The refusal of a scheduler that decides for ever at one instant, which would stop time. */
final class EndlessDecisions {
    private EndlessDecisions() {}

    static IllegalStateException at(long nowNanos, long decisions) {
        Duration now = Duration.ofNanos(nowNanos);
        return new IllegalStateException(
                "%d decisions at one instant (%d h %d min %d.%03d s).\nMaybe the scheduler preempts what it starts."
                        .formatted(
                                decisions,
                                now.toHours(),
                                now.toMinutesPart(),
                                now.toSecondsPart(),
                                now.toMillisPart()));
    }
}
