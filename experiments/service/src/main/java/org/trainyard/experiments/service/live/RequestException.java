package org.trainyard.experiments.service.live;

import org.jspecify.annotations.Nullable;

/** A request cannot be served as it is: the status of HTTP, and the place, the value and the expectation. */
public final class RequestException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int LONGEST = 120;

    public static final int MALFORMED = 400;
    public static final int UNAUTHORIZED = 401;
    public static final int UNKNOWN = 404;
    public static final int TIMEOUT = 408;
    public static final int CONFLICT = 409;
    public static final int TOO_LARGE = 413;
    public static final int MEDIA_TYPE = 415;
    public static final int MISDIRECTED = 421;
    public static final int IMPOSSIBLE = 422;
    public static final int TOO_MANY = 429;
    public static final int UNAVAILABLE = 503;

    private final int status;
    private final String place;
    private final String value;
    private final String expected;
    private final @Nullable Long sequence;

    private RequestException(int status, String place, Object value, String expected, @Nullable Long sequence) {
        super("%s: '%s' is not valid: expected %s".formatted(place, shortened(value), expected));
        this.status = status;
        this.place = place;
        this.value = shortened(value);
        this.expected = expected;
        this.sequence = sequence;
    }

    public RequestException(int status, String place, Object value, String expected) {
        this(status, place, value, expected, null);
    }

    private static String shortened(Object value) {
        String text = String.valueOf(value);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** Returns this error with the number of the last event that the cluster has accepted. */
    RequestException after(long lastSequence) {
        return new RequestException(status, place, value, expected, lastSequence);
    }

    public int status() {
        return status;
    }

    public String place() {
        return place;
    }

    public String value() {
        return value;
    }

    public String expected() {
        return expected;
    }

    /** The number of the last event that the cluster has accepted, or null when the request fed no events. */
    public @Nullable Long sequence() {
        return sequence;
    }
}
