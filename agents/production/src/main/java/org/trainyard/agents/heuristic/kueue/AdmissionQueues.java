package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.agents.heuristic.kueue.CycleEntry.Outcome;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue;

/**
 * Queues and quotas together: what arrives waits, cycles admit or evict, what ends frees quota and has others tried
 * again.
 */
final class AdmissionQueues {
    final KueueState state;
    private final AdmissionCycle cycle;
    private final List<PendingQueue> queues = new ArrayList<>();

    AdmissionQueues(KueueState state) {
        this.state = state;
        cycle = new AdmissionCycle(state);
        for (ClusterQueue queue : state.tree.objects.queues()) {
            queues.add(new PendingQueue(queue.strict(), state.tree.sharesByUsage(queues.size()) ? state.ledger : null));
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

    /** A workload asks for other numbers of pods; one that has quota, for fewer, and gives up the rest. */
    void resize(KueueWorkload workload, List<PodSet> podSets) {
        if (workload.admission == null) {
            queues.get(workload.queue).replace(workload, podSets);
        } else {
            state.shrink(workload, podSets);
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

    /**
     * When the order of queues may change whose head blocks; {@link Long#MAX_VALUE} where nothing waits in such a
     * queue.
     */
    long nextOrderNanos() {
        boolean any = false;
        for (int i = 0; i < queues.size(); i++) {
            any |= state.tree.sharesByUsage(i)
                    && state.tree.queue(i).strict()
                    && queues.get(i).hasSomeToTry();
        }
        return any ? state.ledger.nextNanos() : Long.MAX_VALUE;
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

    /** Runs a cycle over heads, and puts back those that were not admitted; slices that were replaced are gone then. */
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
        for (CycleEntry entry : entries) {
            if (entry.outcome == Outcome.ADMITTED && entry.replaced != null) {
                leave(entry.replaced);
            }
        }
        return entries;
    }
}
