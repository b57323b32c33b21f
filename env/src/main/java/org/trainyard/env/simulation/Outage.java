package org.trainyard.env.simulation;

/**
 * A server or a GPU is out of order for a while.
 *
 * @param fromNanos since when
 * @param untilNanos when it is repaired, later; {@link Long#MAX_VALUE} for never
 */
public record Outage(long fromNanos, long untilNanos) {
    public Outage {
        if (fromNanos < 0 || untilNanos <= fromNanos) {
            throw new IllegalArgumentException(
                    "an outage must end (%d ns) after it began (%d ns, not negative)".formatted(untilNanos, fromNanos));
        }
    }
}
