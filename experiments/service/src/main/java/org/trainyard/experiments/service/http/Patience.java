package org.trainyard.experiments.service.http;

import org.trainyard.env.InputException;

/**
 * How long a server waits for slow clients.
 *
 * @param bodyNanos time for a whole body
 * @param bytesPerSecond that a body must have on the average, after {@code graceNanos}
 * @param graceNanos time at the beginning of a body at any rate
 * @param connections of one address at once
 */
public record Patience(long bodyNanos, long bytesPerSecond, long graceNanos, int connections) {
    /** A minute, of which the first five seconds at any rate, then at 4 kB/s, and 500 connections. */
    public static final Patience DEFAULT = new Patience(60_000_000_000L, 4_096, 5_000_000_000L, 500);

    public Patience {
        if (bodyNanos <= 0 || bytesPerSecond < 0 || graceNanos < 0 || connections < 1) {
            throw new InputException("patience (%d ns, %d bytes/s, %d ns, %d connections) must be positive"
                    .formatted(bodyNanos, bytesPerSecond, graceNanos, connections));
        }
    }

    /** Whether a body of so many bytes has taken too long. */
    boolean isOver(long elapsedNanos, long bytes) {
        double wanted = bytesPerSecond * ((elapsedNanos - graceNanos) / 1e9);
        return elapsedNanos >= bodyNanos || (elapsedNanos >= graceNanos && bytes < wanted);
    }
}
