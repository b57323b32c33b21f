package org.trainyard.env.simulation;

/**
 * An outage of a server or a GPU.
 *
 * @param fromNanos time of the failure
 * @param untilNanos time of the repair, after the failure; {@link Long#MAX_VALUE} for never
 */
public record Outage(long fromNanos, long untilNanos) {
    public Outage {
        if (fromNanos < 0 || untilNanos <= fromNanos) {
            throw new IllegalArgumentException(
                    "an outage must end (%d ns) after it began (%d ns, not negative)".formatted(untilNanos, fromNanos));
        }
    }
}
