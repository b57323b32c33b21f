package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Policy;

/** Chooses the admitted workloads that give way to another one. */
abstract sealed class PreemptionRule permits ClassicalPreemption, FairPreemption {
    /** Why a workload gives way. */
    enum Cause {
        IN_QUEUE,
        RECLAIM,
        FAIR_SHARING,
        RECLAIM_WHILE_BORROWING
    }

    /** Quota that a workload needs others to give up. */
    static final class Need {
        final KueueWorkload workload;
        /** Usage of the workload, by resource of a flavor. */
        final long[] usage;
        /** The resources of flavors that are short. */
        final BitSet contested;
        /** Flavors of a workload whose pods must find room in a topology; null where quota alone counts. */
        final @Nullable Assignment assignment;

        Need(KueueWorkload workload, long[] usage, BitSet contested, @Nullable Assignment assignment) {
            this.workload = workload;
            this.usage = usage;
            this.contested = contested;
            this.assignment = assignment;
        }
    }

    record Victim(KueueWorkload workload, Cause cause) {}

    final KueueState state;
    private final PodPlacement placement;

    PreemptionRule(KueueState state, PodPlacement placement) {
        this.state = state;
        this.placement = placement;
    }

    /** The workloads to evict; none when that cannot help. Leaves the state as it was. */
    abstract List<Victim> victims(Need need);

    /** Orders victims: already evicted first, then of other queues, then of low priority, then admitted late. */
    static Comparator<KueueWorkload> order(int queue) {
        return Comparator.<KueueWorkload, Boolean>comparing(workload -> !workload.evicted)
                .thenComparing(workload -> workload.queue == queue)
                .thenComparingLong(workload -> workload.priority)
                .thenComparing(Comparator.<KueueWorkload>comparingLong(workload -> workload.admittedNanos)
                        .reversed())
                .thenComparingInt(workload -> workload.id);
    }

    /**
     * Candidates in order. Of a queue in which usage counts, those of the LocalQueue with the largest usage come first,
     * among the places that its candidates have: those of different queues are not compared by usage.
     */
    <T> List<T> ordered(List<T> candidates, Function<T, KueueWorkload> workload, int queue) {
        List<T> sorted = new ArrayList<>(candidates);
        sorted.sort(Comparator.comparing(workload, order(queue)));
        Comparator<KueueWorkload> byUsage = Comparator.<KueueWorkload, Boolean>comparing(one -> !one.evicted)
                .thenComparing(state.ledger::usage, Comparator.reverseOrder());
        for (int shared = 0; shared < state.tree.queues.size(); shared++) {
            if (state.tree.sharesByUsage(shared)) {
                int of = shared;
                int[] places = IntStream.range(0, sorted.size())
                        .filter(at -> workload.apply(sorted.get(at)).queue == of)
                        .toArray();
                List<T> members = Arrays.stream(places)
                        .mapToObj(sorted::get)
                        .sorted(Comparator.comparing(workload, byUsage))
                        .toList();
                for (int i = 0; i < places.length; i++) {
                    sorted.set(places[i], members.get(i));
                }
            }
        }
        return sorted;
    }

    static boolean mayDisplace(KueueWorkload newcomer, KueueWorkload other, Policy policy) {
        return switch (policy) {
            case NEVER -> false;
            case LOWER_PRIORITY -> newcomer.priority > other.priority;
            case LOWER_OR_NEWER_EQUAL_PRIORITY ->
                newcomer.priority > other.priority
                        || (newcomer.priority == other.priority && newcomer.createdNanos < other.createdNanos);
            case ANY -> true;
        };
    }

    /** Whether there is quota and room for the newcomer as things are. */
    boolean fits(Need need, boolean mayBorrow) {
        QuotaNode node = state.node(need.workload);
        long[] usage = need.usage;
        for (int at = 0; at < usage.length; at++) {
            if (usage[at] > 0 && (usage[at] > node.available(at) || (!mayBorrow && node.borrowsWith(at, usage[at])))) {
                return false;
            }
        }
        Assignment assignment = need.assignment;
        return assignment == null || placement.hasRoom(need.workload, assignment);
    }

    void takeAway(KueueWorkload workload) {
        state.takeAway(List.of(workload));
    }

    void bringBack(List<Victim> victims) {
        victims.forEach(victim -> state.bringBack(List.of(victim.workload)));
    }

    /**
     * Spares victims that need not go after all, the last ones first; the state is without the rest before and after.
     */
    void spare(Need need, List<Victim> victims, boolean mayBorrow) {
        for (int i = victims.size() - 2; i >= 0; i--) {
            KueueWorkload spared = victims.get(i).workload();
            state.bringBack(List.of(spared));
            if (fits(need, mayBorrow)) {
                victims.set(i, victims.get(victims.size() - 1));
                victims.remove(victims.size() - 1);
            } else {
                takeAway(spared);
            }
        }
    }

    /** The workloads of a queue that the newcomer may displace and that hold a contested resource. */
    List<KueueWorkload> displaceable(Need need, int queue, Policy policy) {
        List<KueueWorkload> found = new ArrayList<>();
        for (KueueWorkload other : state.admittedTo(queue)) {
            if (mayDisplace(need.workload, other, policy)
                    && KueueState.admission(other).uses(need.contested)) {
                found.add(other);
            }
        }
        return found;
    }
}
