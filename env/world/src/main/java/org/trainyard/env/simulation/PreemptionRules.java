package org.trainyard.env.simulation;

/**
 * Rules by which a cluster lets its schedulers preempt jobs, and the loss of a preempted job beside its restart. A
 * resize is no preemption.
 *
 * @param savedEveryNanos productive time between two checkpoints of a running job, since the last of which a preempted
 *     one loses its work; 0 for one that saves all as it is preempted, {@link #SAVES_NOTHING} for one that saves
 *     nothing
 * @param leastRunNanos time that a job must have run since its last start before it may be preempted
 * @param requeueNanos time from a preemption until the job waits again; above 0 no job can migrate, for it could not
 *     start at once
 * @param mostPerJob how often a job may be preempted; 0 where no job may, {@link #NO_LIMIT} for any number
 */
public record PreemptionRules(long savedEveryNanos, long leastRunNanos, long requeueNanos, int mostPerJob) {
    /** Time between checkpoints of a preempted job that loses all that its run has done. */
    public static final long SAVES_NOTHING = Long.MAX_VALUE;

    public static final int NO_LIMIT = Integer.MAX_VALUE;

    /** A preempted job keeps its work, and any job may be preempted at any time. */
    public static final PreemptionRules FREE = new PreemptionRules(0, 0, 0, NO_LIMIT);

    public PreemptionRules {
        if (savedEveryNanos < 0 || leastRunNanos < 0 || requeueNanos < 0 || mostPerJob < 0) {
            throw new IllegalArgumentException(
                    "times between checkpoints (%d ns), of a run (%d ns) and until requeued (%d ns) and the most preemptions of a job (%d) must not be negative"
                            .formatted(savedEveryNanos, leastRunNanos, requeueNanos, mostPerJob));
        }
    }

    /** Returns these rules with another time between checkpoints, nanoseconds. */
    public PreemptionRules savingEvery(long nanos) {
        return new PreemptionRules(nanos, leastRunNanos, requeueNanos, mostPerJob);
    }

    /** Whether any job may ever be preempted. */
    public boolean allowsAny() {
        return mostPerJob > 0;
    }

    /** Whether a preempted job may start again at once. */
    public boolean allowsMigration() {
        return allowsAny() && requeueNanos == 0;
    }

    /**
     * The earliest instant at which a running job may be preempted; the greatest long for never.
     *
     * @param startedNanos when it started last
     */
    public long fromNanos(int preemptions, long startedNanos) {
        if (preemptions >= mostPerJob) {
            return Long.MAX_VALUE;
        }
        return startedNanos > Long.MAX_VALUE - leastRunNanos ? Long.MAX_VALUE : startedNanos + leastRunNanos;
    }
}
