package org.trainyard.agents.heuristic.kueue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A workload: its request, and, while it has quota, its assignment. */
final class KueueWorkload {
    final int id;
    final int queue;
    final long priority;
    final long createdNanos;
    List<PodSet> podSets;
    /** Equal for workloads of which one is admitted whenever another one would be; by default it is like no other. */
    final Object alike;

    /** LocalQueue of the workload, by its number in {@link UsageLedger}: that of its ClusterQueue, unless it is set. */
    int localQueue;

    /** The slice of the same job that it replaces once it is admitted; null for none. */
    @Nullable KueueWorkload replaces;

    /** Assignment of the workload; null while it has no quota. */
    @Nullable Assignment admission;

    long admittedNanos;
    boolean evicted;
    /** Place in the list of flavors to go on behind, for each pod set and resource; null to try all. */
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

    /** The slice that it replaces, while that one has quota; null for none. */
    @Nullable KueueWorkload replaced() {
        KueueWorkload slice = replaces;
        return slice == null || slice.admission == null ? null : slice;
    }

    /** How much of a resource a pod set asks for beyond what the slice that it replaces has. */
    long more(int set, int resource) {
        KueueWorkload slice = replaced();
        return podSets.get(set).total(resource)
                - (slice == null ? 0 : slice.podSets.get(set).total(resource));
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
