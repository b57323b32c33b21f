package org.trainyard.agents.heuristic.kueue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A workload: its request, and, while it has quota, its assignment. */
final class KueueWorkload {
    final int id;
    final int queue;
    final long priority;
    final long createdNanos;
    final List<PodSet> podSets;
    /** Equal for workloads of which one is admitted whenever another one would be; by default it is like no other. */
    final Object alike;

    /** Its LocalQueue, in the numbers of {@link UsageLedger}: that of its ClusterQueue, unless it is set. */
    int localQueue;

    /** Its assignment; null while it has no quota. */
    @Nullable Assignment admission;

    long admittedNanos;
    boolean evicted;
    /** For each pod set and resource the place in the list of flavors to go on behind; null to try all. */
    int @Nullable [][] tried;
    /** The generation of its queue when that was. */
    long triedGeneration;

    KueueWorkload(int id, int queue, long priority, long createdNanos, List<PodSet> podSets) {
        this(id, queue, priority, createdNanos, podSets, new Object());
    }

    KueueWorkload(int id, int queue, long priority, long createdNanos, List<PodSet> podSets, Object alike) {
        this.id = id;
        this.queue = queue;
        localQueue = queue;
        this.priority = priority;
        this.createdNanos = createdNanos;
        this.podSets = podSets;
        this.alike = alike;
    }

    /** Whether there are flavors that the last attempt has not tried. */
    boolean hasUntried() {
        if (tried != null) {
            for (int[] ofSet : tried) {
                for (int last : ofSet) {
                    if (last >= 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return "workload " + id;
    }
}
