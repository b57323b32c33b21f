package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Policy;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Preemption;

/**
 * Preemption without shares: a queue takes back what others have borrowed of its part of the tree, displaces lower
 * priorities in the cohort, and lower ones of its own, as its policies allow.
 */
final class ClassicalPreemption extends PreemptionRule {
    /**
     * A workload that may have to go.
     *
     * @param meeting the lowest cohort above both queues; null in the same queue
     * @param unlessBorrowing whether it goes only where the newcomer does not borrow
     */
    private record Candidate(
            KueueWorkload workload, @Nullable QuotaNode meeting, Cause cause, boolean unlessBorrowing) {}

    ClassicalPreemption(KueueState state, PodPlacement placement) {
        super(state, placement);
    }

    @Override
    List<Victim> victims(Need need) {
        KueueWorkload newcomer = need.workload;
        Preemption policies = state.queue(newcomer).preemption();
        List<Candidate> own = new ArrayList<>();
        for (KueueWorkload other : displaceable(need, newcomer.queue, policies.within())) {
            own.add(new Candidate(other, null, Cause.IN_QUEUE, false));
        }
        List<Candidate> byTree = new ArrayList<>();
        List<Candidate> byPriority = new ArrayList<>();
        ofOthers(need, policies, byTree, byPriority);
        List<Candidate> all = ordered(newcomer.queue, List.of(byTree, byPriority, own));
        boolean mayNotBorrow = !policies.borrows();
        List<Boolean> attempts;
        if ((byTree.isEmpty() && byPriority.isEmpty()) || (mayNotBorrow && !isBelowQuota(need))) {
            attempts = List.of(true);
        } else {
            attempts = mayNotBorrow && byTree.isEmpty() ? List.of(false, true) : List.of(true, false);
        }
        for (boolean borrows : attempts) {
            List<Victim> victims = attempt(need, all, borrows);
            if (!victims.isEmpty()) {
                return victims;
            }
        }
        return List.of();
    }

    private boolean isBelowQuota(Need need) {
        QuotaNode node = state.node(need.workload);
        return need.contested.stream().allMatch(at -> node.usage[at] < node.nominal[at]);
    }

    /** Each list in order; those already evicted come first. */
    private List<Candidate> ordered(int queue, List<List<Candidate>> lists) {
        List<Candidate> all = new ArrayList<>();
        for (boolean evicted : new boolean[] {true, false}) {
            for (List<Candidate> list : lists) {
                ordered(list, Candidate::workload, queue).stream()
                        .filter(candidate -> candidate.workload.evicted == evicted)
                        .forEach(all::add);
            }
        }
        return all;
    }

    private List<Victim> attempt(Need need, List<Candidate> candidates, boolean borrows) {
        List<Victim> victims = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (!isValid(need, candidate, borrows)) {
                continue;
            }
            takeAway(candidate.workload);
            victims.add(new Victim(candidate.workload, candidate.cause));
            if (fits(need, borrows)) {
                spare(need, victims, borrows);
                bringBack(victims);
                return victims;
            }
        }
        bringBack(victims);
        return List.of();
    }

    /** Whether its queue, and all below the meeting point, still hold more than their quota. */
    private boolean isValid(Need need, Candidate candidate, boolean borrows) {
        if (candidate.workload.queue == need.workload.queue) {
            return true;
        }
        if (borrows && candidate.unlessBorrowing) {
            return false;
        }
        for (QuotaNode node = state.node(candidate.workload);
                node != null && node != candidate.meeting;
                node = node.parent) {
            if (!node.borrowsAny(need.contested)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Goes up the tree; from the first part on that has enough for the newcomer, it has a right to all that is
     * borrowed.
     */
    private void ofOthers(Need need, Preemption policies, List<Candidate> byTree, List<Candidate> byPriority) {
        QuotaNode own = state.node(need.workload);
        if (policies.reclaim() == Policy.NEVER) {
            return;
        }
        long[] left = need.usage.clone();
        boolean hasRight = takeQuota(own, left);
        QuotaNode below = null;
        for (QuotaNode cohort = own.parent; cohort != null; cohort = cohort.parent) {
            gather(need, cohort, cohort, below, hasRight, hasRight ? byTree : byPriority);
            hasRight |= takeQuota(cohort, left);
            below = cohort;
        }
    }

    /** Whether a node has quota for all that is left, of which then the part is taken that nobody else may borrow. */
    private static boolean takeQuota(QuotaNode node, long[] left) {
        boolean fits = true;
        for (int at = 0; at < left.length; at++) {
            fits &= left[at] == 0 || node.usage[at] + left[at] <= node.subtree[at];
            left[at] = left[at] == 0 ? 0 : Math.max(0, left[at] - node.keptFree(at));
        }
        return fits;
    }

    private void gather(
            Need need,
            QuotaNode cohort,
            QuotaNode meeting,
            @Nullable QuotaNode done,
            boolean hasRight,
            List<Candidate> to) {
        for (QuotaNode child : cohort.cohorts) {
            if (child != done && child.borrowsAny(need.contested)) {
                gather(need, child, meeting, done, hasRight, to);
            }
        }
        Preemption policies = state.queue(need.workload).preemption();
        for (QuotaNode child : cohort.queues) {
            if (child.queue == need.workload.queue || !child.borrowsAny(need.contested)) {
                continue;
            }
            for (KueueWorkload other : displaceable(need, child.queue, policies.reclaim())) {
                boolean needsNoLoan = !hasRight && !mayBorrowFor(need.workload, other, policies);
                Cause cause = hasRight || needsNoLoan ? Cause.RECLAIM : Cause.RECLAIM_WHILE_BORROWING;
                to.add(new Candidate(other, meeting, cause, needsNoLoan));
            }
        }
    }

    private static boolean mayBorrowFor(KueueWorkload newcomer, KueueWorkload other, Preemption policies) {
        Long threshold = policies.borrowThreshold();
        return policies.borrows()
                && other.priority < newcomer.priority
                && (threshold == null || other.priority <= threshold);
    }
}
