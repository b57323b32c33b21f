package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.Assignment.Mode;
import org.trainyard.agents.heuristic.kueue.CycleEntry.Outcome;
import org.trainyard.agents.heuristic.kueue.PreemptionRule.Victim;
import org.trainyard.agents.heuristic.kueue.QuotaNode.DominantShare;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Policy;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.ShareRule;

/** A cycle of admission: judges the head of each queue, then admits them one by one while they still fit. */
final class AdmissionCycle {
    private static final Comparator<CycleEntry> CLASSICAL = Comparator.<CycleEntry>comparingInt(
                    entry -> entry.assignment.borrowing)
            .thenComparingLong(entry -> -entry.workload.priority)
            .thenComparingLong(entry -> entry.workload.createdNanos);

    private final KueueState state;
    private final FlavorChoice choice;
    private final PodPlacement placement;
    private final PreemptionRule preemption;
    private final boolean sharesFairly;

    AdmissionCycle(KueueState state) {
        this.state = state;
        placement = new PodPlacement(state);
        List<ShareRule> rules = state.tree.objects.fairSharing();
        sharesFairly = rules != null;
        preemption =
                rules == null ? new ClassicalPreemption(state, placement) : new FairPreemption(state, placement, rules);
        choice = new FlavorChoice(state, preemption, placement);
    }

    /**
     * Runs a cycle. Heads that are admitted have quota then; workloads that must give way are marked as evicted. They,
     * and slices that were replaced, keep it until the caller ends them.
     */
    List<CycleEntry> run(List<KueueWorkload> heads, long nanos) {
        Map<QuotaNode, long[]> before = state.tree.usage();
        List<CycleEntry> entries = new ArrayList<>();
        heads.forEach(head -> entries.add(judge(head)));
        Trial trial = new Trial();
        if (sharesFairly) {
            FairTournament order = new FairTournament(state, entries);
            for (CycleEntry next = order.next(); next != null; next = order.next()) {
                trial.take(next);
            }
        } else {
            entries.stream().sorted(CLASSICAL).forEach(trial::take);
        }
        trial.undo();
        // To use less than nothing, as a slice may, and to release it again is not nothing.
        before.forEach((node, usage) -> System.arraycopy(usage, 0, node.usage, 0, usage.length));
        for (CycleEntry entry : entries) {
            KueueWorkload workload = entry.workload;
            if (entry.outcome == Outcome.ADMITTED) {
                if (entry.replaced != null) {
                    entry.assignment.takeOver(KueueState.admission(entry.replaced));
                }
                state.admit(workload, entry.assignment, nanos);
                state.ledger.admitted(workload, nanos);
                continue;
            }
            boolean triesAll = entry.outcome != Outcome.INADMISSIBLE;
            workload.tried = triesAll ? null : entry.assignment.tried;
            workload.triedGeneration = state.generation(workload.queue);
            if (entry.outcome == Outcome.PREEMPTING) {
                entry.victims.forEach(victim -> victim.workload().evicted = true);
            }
        }
        return entries;
    }

    /** The assignment that a head would get now, and its victims. */
    CycleEntry judge(KueueWorkload head) {
        Assignment assignment = choice.assign(head);
        List<Victim> victims = List.of();
        if (assignment.mode() == Mode.PREEMPT) {
            victims = preemption.victims(new PreemptionRule.Need(
                    head, assignment.usage, assignment.contested(state.tree.resources.size()), assignment));
        }
        CycleEntry entry = new CycleEntry(head, assignment, victims);
        placement.reserve(head, assignment, entry.victimWorkloads());
        return entry;
    }

    /** Quota and pods that the heads taken so far would use, before anything is settled. */
    private final class Trial {
        /** Entries whose pods are counted. */
        private final List<CycleEntry> used = new ArrayList<>();

        private final Set<KueueWorkload> going = new LinkedHashSet<>();

        void take(CycleEntry entry) {
            Mode mode = entry.assignment.mode();
            if (mode == Mode.NO_FIT) {
                return;
            }
            if (mode == Mode.PREEMPT && entry.victims.isEmpty()) {
                if (state.queue(entry.workload).preemption().reclaim() != Policy.ANY) {
                    reserve(entry);
                }
                return;
            }
            List<KueueWorkload> leaving = entry.leaving();
            if (leaving.stream().anyMatch(going::contains) || !fits(entry, leaving)) {
                entry.outcome = Outcome.SKIPPED;
                return;
            }
            going.addAll(leaving);
            state.node(entry.workload).use(entry.assignment.usage);
            holdPods(entry, 1);
            used.add(entry);
            entry.outcome = mode == Mode.PREEMPT ? Outcome.PREEMPTING : Outcome.ADMITTED;
        }

        private boolean fits(CycleEntry entry, List<KueueWorkload> leaving) {
            List<KueueWorkload> without = new ArrayList<>(going);
            without.addAll(leaving);
            state.takeAway(without);
            boolean fits = state.fits(entry.workload, entry.assignment);
            state.bringBack(without);
            return fits;
        }

        /** Keeps quota that a head waits for from later heads, where it may not be able to take it back from them. */
        private void reserve(CycleEntry entry) {
            QuotaNode node = state.node(entry.workload);
            long[] usage = entry.assignment.usage;
            long[] kept = new long[usage.length];
            for (int at = 0; at < kept.length; at++) {
                if (usage[at] > 0) {
                    kept[at] = reserved(node, at, usage[at], entry.assignment.borrowing > 0);
                }
            }
            node.use(kept);
            holdPods(entry, 1);
            used.add(entry);
        }

        /** Kueue 0.17 counts pods once for each of their resources until the cycle ends. */
        private void holdPods(CycleEntry entry, int times) {
            Assignment given = entry.assignment;
            for (int set = 0; set < given.podFlavors.length; set++) {
                int[] pods = given.pods[set];
                int flavor = given.podFlavors[set];
                TopologyTree topology = pods == null ? null : state.topology(flavor);
                if (pods != null && topology != null) {
                    int held = (int) Arrays.stream(given.flavors[set])
                            .filter(of -> of == flavor)
                            .count();
                    topology.use(pods, entry.workload.podSets.get(set).perPod, times * held);
                }
            }
        }

        private static long reserved(QuotaNode node, int at, long amount, boolean borrows) {
            if (!borrows) {
                return Math.max(0, Math.min(amount, node.nominal[at] - node.usage[at]));
            }
            return node.borrowing[at] == Long.MAX_VALUE
                    ? amount
                    : Math.min(amount, node.nominal[at] + node.borrowing[at] - node.usage[at]);
        }

        /** Takes the pods away again. */
        void undo() {
            used.forEach(entry -> holdPods(entry, -1));
        }
    }

    /**
     * The order of heads under fair sharing: at each cohort the child whose share stays smallest with its head wins.
     */
    private static final class FairTournament {
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
}
