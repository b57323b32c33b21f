package org.trainyard.env.simulation;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;
import org.trainyard.env.workload.JobSpec;

/** The cost of resuming a preempted job: time on its GPUs without progress. A pure function. */
@FunctionalInterface
public interface RestartCost {
    /** Restarts cost nothing. */
    RestartCost FREE = (job, unpaidNanos) -> 0;

    double LONGEST_SECONDS = 1e9;

    /**
     * The cost of this resumption, nanoseconds, not negative.
     *
     * @param unpaidNanos the part of its last restart cost that the job had not yet paid when it was preempted,
     *     nanoseconds
     */
    long nanos(JobSpec job, long unpaidNanos);

    /** The cost in words. */
    default String describe() {
        return "a restart costs what its job says";
    }

    /** The records to which a configuration binds. */
    static List<Class<? extends RestartCost>> variants() {
        return List.of(Fixed.class, BySize.class);
    }

    /** A cost that is equal for every job. */
    static RestartCost ofNanos(long nanos) {
        return new Fixed(nanos / 1e9);
    }

    /**
     * A restart cost that is equal for every job, in seconds; an unpaid part is forgotten, because a restart begins
     * anew.
     */
    record Fixed(double seconds) implements RestartCost {
        public Fixed {
            within(0, LONGEST_SECONDS, "seconds", seconds);
        }

        @Override
        public long nanos(JobSpec job, long unpaidNanos) {
            return Math.round(seconds * 1e9);
        }

        @Override
        public String describe() {
            return "a restart costs %s s".formatted(seconds);
        }
    }

    /**
     * A cost that grows with the model: start-up, plus the time to read a checkpoint of weights and Adam's two moments
     * (three times the size of the gradients) at a given bandwidth, up to a maximum. An unpaid part is forgotten.
     *
     * <p>{@link #MEASURED} spans the published 15 to 250 s for models of all sizes; linear growth with the checkpoint's
     * size, at 100 MB/s, is our assumption.
     *
     * @param startSeconds cost of a model without weights
     * @param mostSeconds maximum cost
     * @param megabytesPerSecond bandwidth at which a checkpoint is read
     */
    record BySize(double startSeconds, double mostSeconds, double megabytesPerSecond) implements RestartCost {
        public static final BySize MEASURED = new BySize(15, 250, 100);

        public BySize {
            within(0, LONGEST_SECONDS, "startSeconds", startSeconds);
            within(0, LONGEST_SECONDS, "mostSeconds", mostSeconds);
            atLeast(startSeconds, "mostSeconds", mostSeconds);
            above(0, "megabytesPerSecond", megabytesPerSecond);
        }

        @Override
        public long nanos(JobSpec job, long unpaidNanos) {
            double reading = 3 * job.model().gradientBytes() / (megabytesPerSecond * 1e6) * 1e9;
            return Math.min(Math.round(mostSeconds * 1e9), Math.round(startSeconds * 1e9) + Math.round(reading));
        }

        @Override
        public String describe() {
            return "a restart costs %s to %s s by model size".formatted(startSeconds, mostSeconds);
        }
    }
}
