package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.Assignment.Mode;
import org.trainyard.agents.heuristic.kueue.Assignment.Obstacle;
import org.trainyard.agents.heuristic.kueue.CycleEntry.Outcome;
import org.trainyard.agents.heuristic.kueue.KueueScheduler.Cause;
import org.trainyard.agents.heuristic.kueue.KueueScheduler.WaitingReason;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup;

/** Queues and quotas together: what arrives waits, cycles admit or evict, what ends frees quota and has others tried again. */
final class AdmissionQueues {
    final KueueState state;
    private final AdmissionCycle cycle;
    private final List<PendingQueue> queues = new ArrayList<>();

    AdmissionQueues(KueueState state) {
        this.state = state;
        cycle = new AdmissionCycle(state);
        for (ClusterQueue queue : state.tree.objects.queues()) {
            queues.add(new PendingQueue(queue.strict()));
        }
    }

    PendingQueue queue(int index) {
        return queues.get(index);
    }

    void arrive(KueueWorkload workload) {
        queues.get(workload.queue).add(workload);
    }

    /** The workload has finished or left. */
    void leave(KueueWorkload workload) {
        queues.get(workload.queue).remove(workload);
        if (workload.admission != null) {
            state.end(workload);
            retry(workload.queue);
        }
    }

    /** The eviction of a workload is done: it waits again where it stood. */
    void evicted(KueueWorkload workload) {
        leave(workload);
        workload.tried = null;
        arrive(workload);
    }

    /** Has all that waits for what this queue may have freed tried again. */
    void retry(int queue) {
        state.tree.related(queue).forEach(node -> queues.get(node.queue).retry());
    }

    /** Has everything tried again. */
    void retryAll() {
        queues.forEach(PendingQueue::retry);
    }

    /** Takes the head of each queue that may admit; none when nothing is left to try. */
    List<KueueWorkload> heads() {
        List<KueueWorkload> heads = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            KueueWorkload head =
                    state.tree.queue(i).stopped() ? null : queues.get(i).take();
            if (head != null) {
                heads.add(head);
            }
        }
        return heads;
    }

    /** Runs a cycle over heads, and puts back those that were not admitted. */
    List<CycleEntry> run(List<KueueWorkload> heads, long nanos) {
        List<CycleEntry> entries = cycle.run(heads, nanos);
        for (CycleEntry entry : entries) {
            PendingQueue queue = queues.get(entry.workload.queue);
            if (entry.outcome == Outcome.ADMITTED) {
                queue.remove(entry.workload);
            } else {
                queue.giveBack(entry.workload, entry.outcome == Outcome.PREEMPTING, entry.outcome == Outcome.SKIPPED);
            }
        }
        return entries;
    }

    /** Why a workload waits, if others have not taken its place by the next cycle. */
    List<WaitingReason> waiting(KueueWorkload workload, String name) {
        KueueWorkload head = queues.get(workload.queue).first();
        if (state.queue(workload).strict() && head != null && head != workload) {
            return List.of(new WaitingReason(Cause.HEAD, name, null, null));
        }
        CycleEntry entry = cycle.judge(workload);
        if (!entry.victims.isEmpty()) {
            return List.of(new WaitingReason(Cause.PREEMPTION, name, null, null));
        }
        List<WaitingReason> reasons = new ArrayList<>();
        @Nullable Obstacle[] obstacles = entry.assignment.obstacles;
        for (int at = 0; entry.assignment.mode() != Mode.FIT && at < obstacles.length; at++) {
            Obstacle obstacle = obstacles[at];
            if (obstacle != null) {
                reasons.add(new WaitingReason(
                        cause(obstacle, workload, at),
                        name,
                        state.tree.flavors.get(at / state.tree.resources.size()),
                        state.tree.resources.get(at % state.tree.resources.size())));
            }
        }
        return reasons;
    }

    private Cause cause(Obstacle obstacle, KueueWorkload workload, int at) {
        return switch (obstacle) {
            case CAPACITY -> Cause.CAPACITY;
            case FLAVOR -> Cause.FLAVOR;
            case TOPOLOGY -> Cause.TOPOLOGY;
            case QUOTA -> {
                QuotaNode node = state.node(workload);
                long amount = 0;
                for (PodSet set : workload.podSets) {
                    amount += set.total(at % state.tree.resources.size());
                }
                boolean isLimited = node.borrowing[at] != QuotaGroup.UNLIMITED
                        && node.usage[at] + amount > node.nominal[at] + node.borrowing[at];
                yield isLimited && node.borrowing[at] > 0 ? Cause.BORROWING_LIMIT : Cause.QUOTA;
            }
        };
    }
}
