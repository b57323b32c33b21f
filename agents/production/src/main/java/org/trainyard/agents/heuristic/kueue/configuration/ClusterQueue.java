package org.trainyard.agents.heuristic.kueue.configuration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue.
 *
 * @param cohort the cohort that it belongs to, or null
 * @param strict whether its head blocks
 * @param weight in fair sharing
 * @param stopped whether it admits nothing
 * @param sharesByUsage whether its LocalQueues come by what they have used of late
 */
public record ClusterQueue(
        String name,
        @Nullable String cohort,
        boolean strict,
        List<QuotaGroup> groups,
        Preemption preemption,
        Fungibility fungibility,
        double weight,
        boolean stopped,
        boolean sharesByUsage) {
    public ClusterQueue {
        groups = List.copyOf(groups);
    }

    /** Workloads that a workload may displace. */
    public enum Policy {
        NEVER,
        LOWER_PRIORITY,
        LOWER_OR_NEWER_EQUAL_PRIORITY,
        ANY
    }

    /**
     * @param within in its own queue
     * @param reclaim in the other queues of the cohort that hold more than their quota
     * @param borrows whether the queue may borrow at the same time
     * @param borrowThreshold those up to this priority alone are displaced by one that borrows; null for all that are
     *     below its own
     */
    public record Preemption(
            Policy within,
            Policy reclaim,
            boolean borrows,
            @Nullable Long borrowThreshold) {
        public static final Preemption NEVER = new Preemption(Policy.NEVER, Policy.NEVER, false, null);
    }

    /**
     * Whether the next flavor is tried.
     *
     * @param pastBorrowing where this one would do by borrowing
     * @param pastPreemption where this one would do by displacing others
     * @param prefersPreemption whether displacing is better than borrowing
     */
    public record Fungibility(boolean pastBorrowing, boolean pastPreemption, boolean prefersPreemption) {
        public static final Fungibility DEFAULT = new Fungibility(false, true, false);
    }
}
