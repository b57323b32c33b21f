package org.trainyard.agents.heuristic.kueue;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * The admission of Kueue 0.17 as a scheduler of the simulator, as its ClusterQueues, cohorts and flavors say.
 *
 * <p>Simplified, beside {@link SimulatedNodes}, {@link SimulatedWorkloads} and {@link PodServers}: (1) cycles take no
 * time, waiting workloads are tried again at once when quota becomes free, and an evicted job's pods are gone at once;
 * (2) a job that its queue could never admit is rejected, where Kueue leaves it waiting; (3) admission checks, partial
 * admission, usage-based fair sharing of LocalQueues, and selectors of namespaces have no effect.
 */
public final class KueueScheduler implements Scheduler {
    /** Reason why a job waits. */
    public enum Cause {
        /** It has quota; the servers that suit it have no room for its pods. */
        SERVERS("has quota, and waits for servers"),
        /** Others will be evicted for it. */
        PREEMPTION("waits for workloads that give way to it"),
        /** An older or more urgent workload of its strict queue comes first. */
        HEAD("is behind the head of its queue"),
        /** The free quota of its queue and its cohort is not enough. */
        QUOTA("waits for quota"),
        /** It would have to borrow more than its queue may. */
        BORROWING_LIMIT("waits for quota within the borrowing limit"),
        /** There is quota, and no part of the topology has room. */
        TOPOLOGY("waits for room in the topology"),
        /** It asks for more than its queue can ever have of this flavor. */
        CAPACITY("asks for more than there can be"),
        /** The nodes of this flavor do not suit it. */
        FLAVOR("does not suit the nodes"),
        /** The quota of its virtual cluster, which is outside Kueue. */
        VIRTUAL_CLUSTER("waits for the quota of its virtual cluster");

        private final String words;

        Cause(String words) {
            this.words = words;
        }
    }

    /**
     * Why a job waits.
     *
     * @param queue its ClusterQueue
     * @param flavor the flavor that it cannot have, or null where that is not the cause
     * @param resource the resource of that flavor, likewise
     */
    public record WaitingReason(
            Cause cause,
            String queue,
            @Nullable String flavor,
            @Nullable String resource) {
        /** In words, for people. */
        public String text() {
            String what = resource == null ? "" : " (%s of flavor %s)".formatted(resource, flavor);
            return "%s%s, ClusterQueue %s".formatted(cause.words, what, queue);
        }
    }

    private final KueueObjects objects;
    private @Nullable KueueController controller;

    public KueueScheduler(KueueObjects objects) {
        this.objects = objects;
    }

    /**
     * Why a job waits as things are since the last decision: one reason, or one for each flavor and resource that it
     * cannot have. None for a job that does not wait, or that is about to be admitted.
     */
    public List<WaitingReason> waiting(int job) {
        KueueController current = controller;
        return current == null ? List.of() : current.waiting(job);
    }

    @Override
    public Decision decide(SimView view) {
        KueueController current = controller;
        if (current == null || !current.update(view)) {
            current = new KueueController(objects, view);
            controller = current;
        }
        return current.decide();
    }
}
