package org.trainyard.agents.heuristic.kueue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.QuotaNode.DominantShare;

/** The order of heads under fair sharing: at each cohort the child whose share stays smallest with its head wins. */
final class FairTournament {
    private final KueueState state;
    private final Map<QuotaNode, CycleEntry> left = new HashMap<>();
    /** By entry, for each node from its queue up to below the root, the share with its head. */
    private final Map<CycleEntry, Map<QuotaNode, DominantShare>> shares = new HashMap<>();

    FairTournament(KueueState state, List<CycleEntry> entries) {
        this.state = state;
        entries.forEach(entry -> left.put(state.node(entry.workload), entry));
    }

    /** Takes out the next head; null when there is none. */
    @Nullable CycleEntry next() {
        for (QuotaNode queue : state.tree.queues) {
            if (left.containsKey(queue)) {
                CycleEntry entry = queue.parent == null ? left.get(queue) : winner(queue.root());
                if (entry != null) {
                    left.remove(state.node(entry.workload));
                }
                return entry;
            }
        }
        return null;
    }

    private @Nullable CycleEntry winner(QuotaNode root) {
        shares.clear();
        for (CycleEntry entry : left.values()) {
            QuotaNode queue = state.node(entry.workload);
            if (queue.root().equals(root)) {
                queue.use(entry.assignment.usage);
                Map<QuotaNode, DominantShare> with = new HashMap<>();
                for (QuotaNode node = queue; node.parent != null; node = node.parent) {
                    with.put(node.parent, node.share());
                }
                shares.put(entry, with);
                queue.release(entry.assignment.usage);
            }
        }
        return best(root);
    }

    private @Nullable CycleEntry best(QuotaNode cohort) {
        CycleEntry best = null;
        for (QuotaNode child : cohort.cohorts) {
            best = better(best, best(child), cohort);
        }
        for (QuotaNode queue : cohort.queues) {
            best = better(best, left.get(queue), cohort);
        }
        return best;
    }

    private @Nullable CycleEntry better(@Nullable CycleEntry a, @Nullable CycleEntry b, QuotaNode cohort) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        DominantShare shareOfA = share(a, cohort);
        DominantShare shareOfB = share(b, cohort);
        boolean aBorrows = shareOfA.borrowsOf(a.assignment.usage);
        boolean bBorrows = shareOfB.borrowsOf(b.assignment.usage);
        if (aBorrows != bBorrows) {
            return aBorrows ? b : a;
        }
        int byShare = shareOfA.compareTo(shareOfB);
        if (byShare != 0) {
            return byShare < 0 ? a : b;
        }
        if (a.workload.priority != b.workload.priority) {
            return a.workload.priority > b.workload.priority ? a : b;
        }
        return b.workload.createdNanos < a.workload.createdNanos ? b : a;
    }

    private DominantShare share(CycleEntry entry, QuotaNode cohort) {
        return shares.getOrDefault(entry, Map.of()).getOrDefault(cohort, DominantShare.NONE);
    }
}
