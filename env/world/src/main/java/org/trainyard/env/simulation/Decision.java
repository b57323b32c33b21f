package org.trainyard.env.simulation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;

/** One decision of a scheduler. A value: a run can be replayed from the list of its decisions. */
public sealed interface Decision {
    /** The job that it is about; {@link SimView#NONE} for a wait. */
    int job();

    /** Gives a waiting job all its GPUs at once. */
    record Start(int job, Placement placement) implements Decision {}

    /**
     * Takes a running job off its GPUs; it keeps its progress, waits again and pays the restart cost when it resumes.
     */
    record Preempt(int job) implements Decision {}

    /**
     * Moves a running elastic job to another placement, of any size it can use; it keeps its progress and pays the
     * restart cost, and never enters the queue. GPUs it holds may be part of the new placement.
     */
    record Resize(int job, Placement placement) implements Decision {}

    /**
     * Changes the number of front layers of a running job that are frozen, at no cost in time; the job must allow it.
     * Fewer than before only after its learning rate has dropped.
     */
    record Freeze(int job, int layers) implements Decision {}

    /**
     * Changes the host CPU and memory of a running job whose speed depends on them, at once and at no cost in time;
     * there must be so much on its servers. A job that stops asks for its own again; one that is resized keeps as much
     * for each GPU.
     *
     * @param cpuMilli for the job on the GPUs it was submitted for, thousandths of a core, as in its
     *     {@link org.trainyard.env.workload.Demand demand}
     * @param memoryMib likewise, MiB
     */
    record Provision(int job, long cpuMilli, long memoryMib) implements Decision {}

    /** Hands a waiting job to another domain; only recorded, nothing moves in the cluster. */
    record Forward(int job, int domain) implements Decision {}

    /**
     * Turns a job away that has never started: it leaves the queue for good and is done without a completion.
     *
     * @param reason why it can never start, in the words of its scheduler; empty where that says nothing. Two decisions
     *     on a job are equal whatever the reason
     */
    record Reject(int job, String reason) implements Decision {
        public Reject(int job) {
            this(job, "");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Reject reject && reject.job == job;
        }

        @Override
        public int hashCode() {
            return job;
        }
    }

    /**
     * No further decision at this instant: time may pass.
     *
     * @param untilNanos ask again at this time at the latest, or {@link #NEXT_EVENT}
     */
    record Wait(long untilNanos) implements Decision {
        static final long NEXT_EVENT = Long.MAX_VALUE;

        @Override
        public int job() {
            return SimView.NONE;
        }
    }

    /** Ask again at the next event. */
    Wait WAIT = new Wait(Wait.NEXT_EVENT);

    /** Ask again at {@code nanos}, or at the next event if that is earlier. */
    static Wait waitUntil(long nanos) {
        return new Wait(nanos);
    }
}
