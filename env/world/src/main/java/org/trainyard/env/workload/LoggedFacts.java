package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;

/**
 * Facts of a run in its log beside the times. No scheduler is told.
 *
 * @param nodeList servers that it ran on, as its log writes them, or null
 * @param state how it ended, such as COMPLETED, or null
 * @param exitCode with which it ended, as its log writes it, or null
 * @param reason why it last waited or why it failed, or null
 * @param restarts how often it began anew
 * @param heldNanos how long after its submission it became eligible; a {@link TraceJob} is submitted when it is
 *     eligible
 */
public record LoggedFacts(
        @Nullable String nodeList,
        @Nullable String state,
        @Nullable String exitCode,
        @Nullable String reason,
        int restarts,
        long heldNanos) {
    /** The facts of a log that has only times. */
    public static final LoggedFacts NONE = new LoggedFacts(null, null, null, null, 0, 0);

    public LoggedFacts {
        if (restarts < 0 || heldNanos < 0) {
            throw new IllegalArgumentException(
                    "restarts (%d) and hold (%d ns) must not be negative".formatted(restarts, heldNanos));
        }
    }
}
