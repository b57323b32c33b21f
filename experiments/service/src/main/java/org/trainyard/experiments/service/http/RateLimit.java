package org.trainyard.experiments.service.http;

/** A token bucket: so many events a second, and after a pause some at once. */
final class RateLimit {
    private final double perSecond;
    private final double most;
    private double tokens;
    private long filledNanos;

    /** A limit of as many at once as in a second. */
    RateLimit(double perSecond, long nowNanos) {
        this(perSecond, perSecond, nowNanos);
    }

    /** @param most events at once */
    RateLimit(double perSecond, double most, long nowNanos) {
        this.perSecond = perSecond;
        this.most = most;
        tokens = most;
        filledNanos = nowNanos;
    }

    /** Whether another one may pass at this time. */
    synchronized boolean allows(long nowNanos) {
        tokens = Math.min(most, tokens + perSecond * ((nowNanos - filledNanos) / 1e9));
        filledNanos = nowNanos;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
