package org.trainyard.agents.heuristic.kueue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that wait in a ClusterQueue: those to try, by the usage of their LocalQueues where it counts, by
 * priority and age, and those set aside until something changes. Of workloads that are alike the first alone is tried;
 * if it is set aside, so are the others.
 */
final class PendingQueue {
    private static final Comparator<KueueWorkload> ORDER = Comparator.<KueueWorkload>comparingLong(
                    workload -> -workload.priority)
            .thenComparingLong(workload -> workload.createdNanos)
            .thenComparingInt(workload -> workload.id);

    private final boolean strict;
    /** By what they are alike in. */
    private final Map<Object, TreeSet<KueueWorkload>> waiting = new HashMap<>();
    /**
     * The first of those that are alike, unless they are set aside; by LocalQueue where usage counts, else all as one.
     */
    private final Map<Integer, TreeSet<KueueWorkload>> toTry = new TreeMap<>();

    private final Set<Object> aside = new LinkedHashSet<>();
    /** Waits for workloads that it displaced, and comes before all others; null for none. */
    private @Nullable KueueWorkload sticky;

    private final @Nullable UsageLedger ledger;

    /** @param ledger has the usage of LocalQueues, where it counts */
    PendingQueue(boolean strict, @Nullable UsageLedger ledger) {
        this.strict = strict;
        this.ledger = ledger;
    }

    private NavigableSet<KueueWorkload> toTry(KueueWorkload like) {
        return toTry.computeIfAbsent(ledger == null ? 0 : like.localQueue, any -> new TreeSet<>(ORDER));
    }

    void add(KueueWorkload workload) {
        TreeSet<KueueWorkload> alike = waiting.computeIfAbsent(workload.alike, any -> new TreeSet<>(ORDER));
        if (!alike.isEmpty()) {
            toTry(workload).remove(alike.first());
        }
        alike.add(workload);
        if (!aside.contains(workload.alike)) {
            toTry(workload).add(alike.first());
        }
    }

    /** A workload that waits asks for other pods: it is tried again, and stays before all others if it was. */
    void replace(KueueWorkload workload, List<PodSet> podSets) {
        boolean isSticky = workload.equals(sticky);
        remove(workload);
        workload.podSets = podSets;
        workload.tried = null;
        add(workload);
        sticky = isSticky ? workload : sticky;
    }

    /** The workload to try next, or null; it stays out until it is given back or removed. */
    @Nullable KueueWorkload take() {
        KueueWorkload first = null;
        for (TreeSet<KueueWorkload> ofLocal : toTry.values()) {
            if (!ofLocal.isEmpty()) {
                KueueWorkload next = sticky != null && ofLocal.contains(sticky) ? sticky : ofLocal.first();
                first = first == null || isBefore(next, first) ? next : first;
            }
        }
        if (first != null) {
            toTry(first).remove(first);
        }
        return first;
    }

    private boolean isBefore(KueueWorkload a, KueueWorkload b) {
        int byUsage = ledger == null ? 0 : Double.compare(ledger.usage(a), ledger.usage(b));
        return byUsage < 0 || (byUsage == 0 && !b.equals(sticky) && (a.equals(sticky) || ORDER.compare(a, b) < 0));
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
            toTry(workload).add(workload);
        } else {
            aside.add(workload.alike);
        }
    }

    /** Has those that were set aside tried again. */
    void retry() {
        for (Object alike : aside) {
            TreeSet<KueueWorkload> members = waiting.get(alike);
            if (members != null) {
                toTry(members.first()).add(members.first());
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
        toTry(workload).remove(workload);
        if (alike.isEmpty()) {
            waiting.remove(workload.alike);
            aside.remove(workload.alike);
        } else if (!aside.contains(workload.alike)) {
            toTry(workload).add(alike.first());
        }
    }

    boolean hasSomeToTry() {
        return toTry.values().stream().anyMatch(ofLocal -> !ofLocal.isEmpty());
    }
}
