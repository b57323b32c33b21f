package org.trainyard.env.topology;

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
        if (latencyNanos < 0) {
            throw new IllegalArgumentException("latency (%d ns) must not be negative".formatted(latencyNanos));
        }
    }

    /** A link given in the units of data sheets: gigabytes per second and microseconds. */
    public static Link of(double gigabytesPerSecond, double latencyMicros) {
        return new Link(gigabytesPerSecond * 1e9, Math.round(latencyMicros * 1e3));
    }

    /** The smallest number of such links, at least one, with that total bandwidth. */
    public int countToCarry(double wantedBytesPerSecond) {
        return (int) Math.max(1, Math.ceil(wantedBytesPerSecond / bytesPerSecond));
    }

    /** So many parallel links as one. */
    public Link times(int count) {
        return new Link(count * bytesPerSecond, latencyNanos);
    }
}
