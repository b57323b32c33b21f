package org.trainyard.experiments.service.http;

/** A token bucket: so many requests a second, and as many at once after a pause. */
final class RateLimit {
    private final double perSecond;
    private double tokens;
    private long filledNanos;

    RateLimit(double perSecond, long nowNanos) {
        this.perSecond = perSecond;
        tokens = perSecond;
        filledNanos = nowNanos;
    }

    /** Whether another request may pass at this time. */
    synchronized boolean allows(long nowNanos) {
        tokens = Math.min(perSecond, tokens + perSecond * ((nowNanos - filledNanos) / 1e9));
        filledNanos = nowNanos;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
