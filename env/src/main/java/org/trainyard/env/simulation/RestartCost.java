package org.trainyard.env.simulation;

import org.trainyard.env.workload.JobSpec;

/** What a preempted job pays when it resumes, in time on its GPUs without progress. A pure function. */
@FunctionalInterface
public interface RestartCost {
    /** Nothing is paid. */
    RestartCost FREE = new Fixed(0);

    /**
     * The cost of this resumption, nanoseconds, not negative.
     *
     * @param unpaidNanos what the job had yet to pay of its last restart when it was preempted, nanoseconds; most often 0
     */
    long nanos(JobSpec job, long unpaidNanos);

    /** The same for every job; what was left unpaid is forgotten, for a restart begins anew. */
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
     * More for larger models: starting up, and reading a checkpoint of weights and Adam's two moments (three times the gradients'
     * size) at a given bandwidth, within bounds. What was left unpaid is forgotten.
     *
     * <p>{@link #MEASURED} spans the 15 to 250 s that are published for models of all sizes; that they rise with the checkpoint's size,
     * and at 100 MB/s, is ours.
     *
     * @param startNanos of a model without weights
     * @param mostNanos of the largest
     * @param bytesPerSecond at which a checkpoint is read
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
