package org.trainyard.agents.heuristic.kueue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that wait in a ClusterQueue: those to try, by priority and age, and those set aside until something
 * changes. Of workloads that are alike the first alone is tried; if it is set aside, so are the others.
 */
final class PendingQueue {
    private static final Comparator<KueueWorkload> ORDER = Comparator.<KueueWorkload>comparingLong(
                    workload -> -workload.priority)
            .thenComparingLong(workload -> workload.createdNanos)
            .thenComparingInt(workload -> workload.id);

    private final boolean strict;
    /** By what they are alike in. */
    private final Map<Object, TreeSet<KueueWorkload>> waiting = new HashMap<>();
    /** The first of those that are alike, unless they are set aside. */
    private final TreeSet<KueueWorkload> toTry = new TreeSet<>(ORDER);

    private final Set<Object> aside = new LinkedHashSet<>();
    /** Waits for workloads that it displaced, and comes before all others; null for none. */
    private @Nullable KueueWorkload sticky;

    PendingQueue(boolean strict) {
        this.strict = strict;
    }

    void add(KueueWorkload workload) {
        TreeSet<KueueWorkload> alike = waiting.computeIfAbsent(workload.alike, any -> new TreeSet<>(ORDER));
        if (!alike.isEmpty()) {
            toTry.remove(alike.first());
        }
        alike.add(workload);
        if (!aside.contains(workload.alike)) {
            toTry.add(alike.first());
        }
    }

    /** The workload to try next, or null; it stays out until it is given back or removed. */
    @Nullable KueueWorkload take() {
        KueueWorkload first = sticky;
        if (first != null && toTry.remove(first)) {
            return first;
        }
        return toTry.pollFirst();
    }

    /**
     * Takes a workload back that could not be admitted.
     *
     * @param displaced whether it waits for others to go
     * @param tryAgain whether it was close, and may be tried again at once
     */
    void giveBack(KueueWorkload workload, boolean displaced, boolean tryAgain) {
        if (displaced && !strict) {
            sticky = workload;
        }
        if (strict || displaced || tryAgain || workload.hasUntried()) {
            toTry.add(workload);
        } else {
            aside.add(workload.alike);
        }
    }

    /** Has those that were set aside tried again. */
    void retry() {
        for (Object alike : aside) {
            TreeSet<KueueWorkload> members = waiting.get(alike);
            if (members != null) {
                toTry.add(members.first());
            }
        }
        aside.clear();
    }

    /** Forgets a workload that was admitted or is gone. */
    void remove(KueueWorkload workload) {
        if (workload.equals(sticky)) {
            sticky = null;
        }
        TreeSet<KueueWorkload> alike = waiting.get(workload.alike);
        if (alike == null || !alike.remove(workload)) {
            return;
        }
        toTry.remove(workload);
        if (alike.isEmpty()) {
            waiting.remove(workload.alike);
            aside.remove(workload.alike);
        } else if (!aside.contains(workload.alike)) {
            toTry.add(alike.first());
        }
    }

    boolean hasSomeToTry() {
        return !toTry.isEmpty();
    }
}
