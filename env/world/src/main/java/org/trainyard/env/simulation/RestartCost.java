package org.trainyard.env.simulation;

import org.trainyard.env.workload.JobSpec;

/** The cost of resuming a preempted job: time on its GPUs without progress. A pure function. */
@FunctionalInterface
public interface RestartCost {
    /** Restarts cost nothing. */
    RestartCost FREE = new Fixed(0);

    /**
     * The cost of this resumption, nanoseconds, not negative.
     *
     * @param unpaidNanos the part of its last restart cost that the job had not yet paid when it was preempted,
     *     nanoseconds
     */
    long nanos(JobSpec job, long unpaidNanos);

    /**
     * A cost that is equal for every job, nanoseconds; an unpaid part is forgotten, because a restart begins anew.
     */
    record Fixed(long nanos) implements RestartCost {
        public Fixed {
            if (nanos < 0) {
                throw new IllegalArgumentException("restart cost (%d ns) must not be negative".formatted(nanos));
            }
        }

        @Override
        public long nanos(JobSpec job, long unpaidNanos) {
            return nanos;
        }
    }

    /**
     * A cost that grows with the model: startup time, plus the time to read a checkpoint of weights and Adam's two
     * moments (three times the size of the gradients) at a given bandwidth, up to a maximum. An unpaid part is
     * forgotten.
     *
     * <p>{@link #MEASURED} spans the published 15 to 250 s for models of all sizes; linear growth with the
     * checkpoint's size, at 100 MB/s, is our assumption.
     *
     * @param startNanos cost of a model without weights
     * @param mostNanos maximum cost
     * @param bytesPerSecond bandwidth at which a checkpoint is read
     */
    record BySize(long startNanos, long mostNanos, double bytesPerSecond) implements RestartCost {
        public static final BySize MEASURED = new BySize(15_000_000_000L, 250_000_000_000L, 1e8);

        public BySize {
            if (startNanos < 0 || mostNanos < startNanos || !(bytesPerSecond > 0)) {
                throw new IllegalArgumentException(
                        "restart costs (%d to %d ns, %s bytes/s) must not be negative, the least first, bandwidth above zero"
                                .formatted(startNanos, mostNanos, bytesPerSecond));
            }
        }

        @Override
        public long nanos(JobSpec job, long unpaidNanos) {
            double reading = 3 * job.model().gradientBytes() / bytesPerSecond * 1e9;
            return Math.min(mostNanos, startNanos + Math.round(reading));
        }
    }
}
