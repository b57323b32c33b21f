package org.trainyard.experiments.service.http;

import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.service.live.RequestException;

/**
 * The body of every refusal.
 *
 * @param sequence number of the last event that the cluster has accepted; null when the request fed no events
 */
public record ErrorAnswer(Fault error, @Nullable Long sequence) {
    /** The place in the request, the value there, and what was expected. */
    public record Fault(String place, String value, String expected) {}

    static ErrorAnswer of(RequestException e) {
        return new ErrorAnswer(new Fault(e.place(), e.value(), e.expected()), e.sequence());
    }
}
