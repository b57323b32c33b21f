package org.trainyard.experiments.service.http;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failures of the service: some with their stack traces, of the others the number. */
final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final double PER_SECOND = 0.1;
    private static final double AT_ONCE = 5;

    private final RateLimit rate = new RateLimit(PER_SECOND, AT_ONCE, System.nanoTime());
    private final AtomicLong unlogged = new AtomicLong();

    void note(String request, Throwable failure) {
        if (rate.allows(System.nanoTime())) {
            long others = unlogged.getAndSet(0);
            LOG.error("{} failed; {} failures before it are not in this log", request, others, failure);
        } else {
            unlogged.incrementAndGet();
        }
    }
}
