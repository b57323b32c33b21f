package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The workloads that wait in a ClusterQueue: those to try, by priority and age, and those set aside until something changes. */
final class PendingQueue {
    private final boolean strict;
    private final TreeSet<KueueWorkload> toTry =
            new TreeSet<>(Comparator.<KueueWorkload>comparingLong(workload -> -workload.priority)
                    .thenComparingLong(workload -> workload.createdNanos)
                    .thenComparingInt(workload -> workload.id));
    private final Set<KueueWorkload> aside = new LinkedHashSet<>();
    /** Waits for workloads that it displaced, and comes before all others; null for none. */
    private @Nullable KueueWorkload sticky;

    PendingQueue(boolean strict) {
        this.strict = strict;
    }

    void add(KueueWorkload workload) {
        toTry.add(workload);
    }

    /** Takes out the workload to try next, or null. */
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
            aside.add(workload);
        }
    }

    /** Has those that were set aside tried again. */
    void retry() {
        toTry.addAll(aside);
        aside.clear();
    }

    /** Forgets a workload that was admitted or is gone. */
    void remove(KueueWorkload workload) {
        toTry.remove(workload);
        aside.remove(workload);
        if (workload.equals(sticky)) {
            sticky = null;
        }
    }

    boolean hasSomeToTry() {
        return !toTry.isEmpty();
    }

    /** Those to try in order, then those set aside. */
    List<KueueWorkload> all() {
        List<KueueWorkload> all = new ArrayList<>(toTry);
        all.addAll(aside);
        return all;
    }

    boolean isAside(KueueWorkload workload) {
        return aside.contains(workload);
    }
}
