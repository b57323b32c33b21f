package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.QuotaNode.DominantShare;

/** The queues that may have to give up workloads: again and again the one to which the largest shares lead. */
final class FairCandidates {
    private final QuotaNode newcomer;
    private final Set<QuotaNode> aboveNewcomer = new HashSet<>();
    private final Map<QuotaNode, Deque<KueueWorkload>> workloads = new HashMap<>();
    private final Set<QuotaNode> done = new HashSet<>();
    private final Comparator<KueueWorkload> order;

    /** @param candidates in the order in which those of a queue are to go */
    FairCandidates(QuotaNode newcomer, List<KueueWorkload> candidates) {
        this.newcomer = newcomer;
        order = PreemptionRule.order(newcomer.queue);
        for (QuotaNode node = newcomer.parent; node != null; node = node.parent) {
            aboveNewcomer.add(node);
        }
        Map<Integer, QuotaNode> byIndex = new HashMap<>();
        index(newcomer.root(), byIndex);
        for (KueueWorkload candidate : candidates) {
            QuotaNode queue = byIndex.get(candidate.queue);
            if (queue != null) {
                workloads.computeIfAbsent(queue, any -> new ArrayDeque<>()).add(candidate);
            }
        }
    }

    private static void index(QuotaNode node, Map<Integer, QuotaNode> to) {
        if (node.queue >= 0) {
            to.put(node.queue, node);
        }
        node.queues.forEach(child -> index(child, to));
        node.cohorts.forEach(child -> index(child, to));
    }

    boolean has(QuotaNode queue) {
        Deque<KueueWorkload> left = workloads.get(queue);
        return left != null && !left.isEmpty();
    }

    KueueWorkload take(QuotaNode queue) {
        return workloads.getOrDefault(queue, new ArrayDeque<>()).remove();
    }

    void drop(QuotaNode queue) {
        done.add(queue);
    }

    /** The queue of which to take one next, or null. */
    @Nullable QuotaNode next() {
        if (newcomer.parent == null) {
            return has(newcomer) && !done.contains(newcomer) ? newcomer : null;
        }
        QuotaNode root = newcomer.root();
        while (!done.contains(root)) {
            QuotaNode queue = next(root);
            if (queue != null) {
                return queue;
            }
        }
        return null;
    }

    private @Nullable QuotaNode next(QuotaNode cohort) {
        QuotaNode queue = null;
        DominantShare share = DominantShare.NONE;
        for (QuotaNode child : cohort.queues) {
            if (done.contains(child)) {
                continue;
            }
            DominantShare its = child.share();
            if ((!its.borrows() && child != newcomer) || !has(child)) {
                done.add(child);
            } else if (its.compareTo(share) > 0
                    || (queue != null && its.compareTo(share) == 0 && isBefore(child, queue))) {
                queue = child;
                share = its;
            }
        }
        QuotaNode part = null;
        DominantShare partShare = DominantShare.NONE;
        for (QuotaNode child : cohort.cohorts) {
            if (done.contains(child)) {
                continue;
            }
            DominantShare its = child.share();
            if (!its.borrows() && !aboveNewcomer.contains(child)) {
                done.add(child);
            } else if (its.compareTo(partShare) >= 0) {
                part = child;
                partShare = its;
            }
        }
        if (queue == null && part == null) {
            done.add(cohort);
            return null;
        }
        return part != null && partShare.compareTo(share) >= 0 ? next(part) : queue;
    }

    private boolean isBefore(QuotaNode queue, QuotaNode other) {
        return order.compare(
                        workloads.getOrDefault(queue, new ArrayDeque<>()).element(),
                        workloads.getOrDefault(other, new ArrayDeque<>()).element())
                < 0;
    }

    /** The node above a queue, or itself, that is right below the lowest cohort that it shares with another one. */
    QuotaNode belowMeeting(QuotaNode queue, QuotaNode other) {
        Set<QuotaNode> above = new HashSet<>();
        for (QuotaNode node = other.parent; node != null; node = node.parent) {
            above.add(node);
        }
        QuotaNode below = queue;
        for (QuotaNode node = queue.parent; node != null && !above.contains(node); node = node.parent) {
            below = node;
        }
        return below;
    }
}
