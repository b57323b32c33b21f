package org.trainyard.env.topology;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * The capacity of one link.
 *
 * @param bytesPerSecond bandwidth in one direction, finite and above zero
 * @param latencyNanos one-way latency, zero or more
 */
public record Link(double bytesPerSecond, long latencyNanos) {
    public Link {
        if (!(bytesPerSecond > 0) || Double.isInfinite(bytesPerSecond)) {
            throw new IllegalArgumentException(
                    "bandwidth (%s bytes/s) must be finite and above zero".formatted(bytesPerSecond));
        }
        Invalid.when(latencyNanos < 0, "latency (%d ns) must not be negative", latencyNanos);
    }

    // Written out: what a record makes for these at their first call takes as long as a short command's whole
    // simulation.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Link link
                && Double.compare(bytesPerSecond, link.bytesPerSecond) == 0
                && latencyNanos == link.latencyNanos;
    }

    @Override
    public int hashCode() {
        return 31 * Double.hashCode(bytesPerSecond) + Long.hashCode(latencyNanos);
    }

    /** A link given in the units of data sheets: gigabytes per second and microseconds. */
    public static Link of(double gigabytesPerSecond, double latencyMicros) {
        return new Link(gigabytesPerSecond * 1e9, Math.round(latencyMicros * 1e3));
    }

    /** The smallest number of such links, at least one, with that total bandwidth. */
    public int countToCarry(double wantedBytesPerSecond) {
        return (int) Math.max(1, Math.ceil(wantedBytesPerSecond / bytesPerSecond));
    }

    /** Returns that many parallel links as one. */
    public Link times(int count) {
        return new Link(count * bytesPerSecond, latencyNanos);
    }
}
