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
}
