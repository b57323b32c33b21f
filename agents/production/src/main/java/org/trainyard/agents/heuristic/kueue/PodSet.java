package org.trainyard.agents.heuristic.kueue;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Pods that are alike: how many, what each asks for, and where they may be. */
final class PodSet {
    final int count;
    /** How much of each resource a pod asks for, by the index of the resource. */
    final long[] perPod;
    /** Whether the nodes of a flavor suit them. */
    final IntPredicate flavors;
    /** Places of the pods in a topology; null where they ask for none. */
    final @Nullable TopologyRequest topology;

    PodSet(int count, long[] perPod, IntPredicate flavors, @Nullable TopologyRequest topology) {
        this.count = count;
        this.perPod = perPod.clone();
        this.flavors = flavors;
        this.topology = topology;
    }

    /** Returns a set of another number of the same pods. */
    PodSet of(int newCount) {
        return new PodSet(newCount, perPod, flavors, topology);
    }

    long total(int resource) {
        return count * perPod[resource];
    }

    /**
     * @param level label of the level that all pods should be on one part of; for {@link Mode#UNCONSTRAINED} null
     * @param slice how many pods must be together, 1 for none
     * @param sliceLevel label of the level of a slice, or null for the lowest
     */
    record TopologyRequest(
            Mode mode,
            @Nullable String level,
            int slice,
            @Nullable String sliceLevel) {
        enum Mode {
            REQUIRED,
            PREFERRED,
            UNCONSTRAINED
        }
    }
}
