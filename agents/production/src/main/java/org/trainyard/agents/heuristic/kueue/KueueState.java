package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup;

/** The admitted workloads of each ClusterQueue, their use of the tree of quotas, and the places of their pods. */
final class KueueState {
    final QuotaTree tree;
    private final List<Set<KueueWorkload>> admitted = new ArrayList<>();
    /** By flavor; null where pods of it are placed without a topology. */
    private final @Nullable TopologyTree[] topologies;

    private final long[] generations;
    final UsageLedger ledger;
    /** Whether limits from outside Kueue let a workload start. */
    Predicate<KueueWorkload> outside = workload -> true;

    /** @param topology makes the tree of the nodes of a flavor that has a topology */
    KueueState(QuotaTree tree, IntFunction<TopologyTree> topology) {
        this.tree = tree;
        ledger = new UsageLedger(tree);
        tree.queues.forEach(queue -> admitted.add(new LinkedHashSet<>()));
        topologies = new TopologyTree[tree.flavors.size()];
        for (int flavor = 0; flavor < topologies.length; flavor++) {
            topologies[flavor] = tree.topology(flavor) == null ? null : topology.apply(flavor);
        }
        generations = new long[tree.queues.size()];
    }

    QuotaNode node(KueueWorkload workload) {
        return tree.queues.get(workload.queue);
    }

    ClusterQueue queue(KueueWorkload workload) {
        return tree.queue(workload.queue);
    }

    Set<KueueWorkload> admittedTo(int queue) {
        return admitted.get(queue);
    }

    @Nullable TopologyTree topology(int flavor) {
        return topologies[flavor];
    }

    /** Counts how often something became free in a queue. */
    long generation(int queue) {
        return generations[queue];
    }

    /** Whether all flavors of a queue have a topology, so that all its pods are placed by it. */
    boolean isTopologyAlone(int queue) {
        boolean any = false;
        for (QuotaGroup group : tree.queue(queue).groups()) {
            for (QuotaGroup.FlavorQuotas flavor : group.flavors()) {
                if (topologies[tree.flavors.indexOf(flavor.flavor())] == null) {
                    return false;
                }
                any = true;
            }
        }
        return any;
    }

    void admit(KueueWorkload workload, Assignment given, long nanos) {
        workload.admission = given;
        workload.admittedNanos = nanos;
        workload.tried = null;
        admitted.get(workload.queue).add(workload);
        ledger.hold(workload, given, 1);
        use(workload.queue, workload, given);
    }

    /** An admitted workload keeps its flavors for fewer pods. */
    void shrink(KueueWorkload workload, List<PodSet> podSets) {
        Assignment had = admission(workload);
        tree.queues.get(workload.queue).release(had.usage);
        ledger.hold(workload, had, -1);
        for (int set = 0; set < podSets.size(); set++) {
            for (int resource = 0; resource < tree.resources.size(); resource++) {
                if (had.flavors[set][resource] >= 0) {
                    had.usage[tree.at(had.flavors[set][resource], resource)] -= workload.podSets
                                    .get(set)
                                    .total(resource)
                            - podSets.get(set).total(resource);
                }
            }
        }
        workload.podSets = podSets;
        tree.queues.get(workload.queue).use(had.usage);
        ledger.hold(workload, had, 1);
        generations[workload.queue]++;
    }

    /** Ends an admission: the workload has finished, or was evicted and waits again. */
    void end(KueueWorkload workload) {
        Assignment had = workload.admission;
        if (had != null) {
            release(workload.queue, workload, had);
            ledger.hold(workload, had, -1);
            admitted.get(workload.queue).remove(workload);
            workload.admission = null;
            workload.evicted = false;
            generations[workload.queue]++;
        }
    }

    void use(int queue, KueueWorkload workload, Assignment given) {
        tree.queues.get(queue).use(given.usage);
        pods(workload, given, 1);
    }

    void release(int queue, KueueWorkload workload, Assignment given) {
        tree.queues.get(queue).release(given.usage);
        pods(workload, given, -1);
    }

    /** Takes admitted workloads away for a trial. */
    void takeAway(Iterable<KueueWorkload> workloads) {
        for (KueueWorkload workload : workloads) {
            release(workload.queue, workload, admission(workload));
        }
    }

    void bringBack(Iterable<KueueWorkload> workloads) {
        for (KueueWorkload workload : workloads) {
            use(workload.queue, workload, admission(workload));
        }
    }

    static Assignment admission(KueueWorkload workload) {
        Assignment given = workload.admission;
        if (given == null) {
            throw new IllegalStateException(workload + " has no quota");
        }
        return given;
    }

    private void pods(KueueWorkload workload, Assignment given, int times) {
        for (int set = 0; set < given.podFlavors.length; set++) {
            int[] pods = given.pods[set];
            TopologyTree topology = pods == null ? null : topologies[given.podFlavors[set]];
            if (pods != null && topology != null) {
                topology.use(pods, workload.podSets.get(set).perPod, times);
            }
        }
    }

    /** Whether there is quota for so much now, and room on its leaves. */
    boolean fits(KueueWorkload workload, Assignment given) {
        QuotaNode node = node(workload);
        for (int at = 0; at < given.usage.length; at++) {
            if (given.usage[at] > 0 && node.available(at) < given.usage[at]) {
                return false;
            }
        }
        for (int set = 0; set < given.podFlavors.length; set++) {
            int[] pods = given.pods[set];
            TopologyTree topology = pods == null ? null : topologies[given.podFlavors[set]];
            if (pods != null && topology != null && !topology.fits(pods, workload.podSets.get(set).perPod)) {
                return false;
            }
        }
        return true;
    }
}
