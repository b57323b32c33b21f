package org.trainyard.experiments.service.live;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The real time of a service: how long an answer takes, and how long nothing has been heard of a cluster. */
public interface ServiceClock {
    ServiceClock SYSTEM = new ServiceClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public void await(CompletableFuture<?> end, long nanos) throws InterruptedException {
            try {
                end.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException e) {
                // The caller looks how far it is.
            }
        }
    };

    /** Nanoseconds from an arbitrary origin. */
    long nanos();

    /** Milliseconds since 1970. */
    long wallMillis();

    /** Returns when something has ended, well or not, or this time has passed. */
    void await(CompletableFuture<?> end, long nanos) throws InterruptedException;
}
