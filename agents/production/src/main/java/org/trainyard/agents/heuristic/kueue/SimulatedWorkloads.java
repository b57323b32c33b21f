package org.trainyard.agents.heuristic.kueue;

import it.unimi.dsi.fastutil.longs.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest.Mode;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Policy;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.LocalQueue;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;

/**
 * Jobs of the simulator as workloads of Kueue.
 *
 * <p>A job belongs to the LocalQueue that its partition names (in the namespace that its virtual cluster names, where
 * there is one), else its account, its virtual cluster or its group, by name of a LocalQueue, a namespace, or a
 * ClusterQueue; else to the LocalQueue {@code default}, or the first ClusterQueue. Its QOS names a priority class, else
 * its priority counts.
 *
 * <p>Simplified: (1) a job is one pod set: as many pods as it asks for nodes, else the fewest equal ones that servers
 * hold; (2) parts of a GPU count whole, and elastic jobs stay as large as they were submitted; (3) host CPU and memory
 * count where the queue covers them; other resources are not asked for.
 */
final class SimulatedWorkloads {
    private static final String PODS = "kueue.x-k8s.io/podset-";
    private static final long MIB = 1L << 20;

    private final QuotaTree tree;
    private final SimulatedNodes nodes;
    /** By name, the LocalQueue in the numbers of {@link UsageLedger}. */
    private final Map<String, Integer> queues = new HashMap<>();
    /** By LocalQueue, its ClusterQueue. */
    private final int[] clusterQueues;

    /** By LocalQueue, where its pods are to be to each other. */
    private final Map<Integer, @Nullable TopologyRequest> requests = new HashMap<>();

    private final int otherwise;

    SimulatedWorkloads(QuotaTree tree, SimulatedNodes nodes) {
        this.tree = tree;
        this.nodes = nodes;
        Map<String, Integer> byName = new HashMap<>();
        for (int i = 0; i < tree.queues.size(); i++) {
            byName.put(tree.queues.get(i).name, i);
        }
        List<LocalQueue> locals = tree.objects.localQueues();
        clusterQueues = IntStream.concat(
                        IntStream.range(0, byName.size()),
                        locals.stream().mapToInt(local -> byName.getOrDefault(local.clusterQueue(), -1)))
                .toArray();
        for (int local = byName.size(); local < clusterQueues.length; local++) {
            if (clusterQueues[local] >= 0) {
                LocalQueue named = locals.get(local - byName.size());
                queues.put(named.namespace() + "/" + named.name(), local);
                queues.putIfAbsent(named.name(), local);
            }
        }
        for (int local = byName.size(); local < clusterQueues.length; local++) {
            if (clusterQueues[local] >= 0) {
                LocalQueue named = locals.get(local - byName.size());
                queues.putIfAbsent(named.namespace(), local);
                requests.put(local, request(named.pods()));
            }
        }
        byName.forEach(queues::putIfAbsent);
        otherwise = queues.getOrDefault("default", 0);
    }

    private static @Nullable TopologyRequest request(Map<String, String> annotations) {
        String required = annotations.get(PODS + "required-topology");
        String preferred = annotations.get(PODS + "preferred-topology");
        String sliceLevel = annotations.get(PODS + "slice-required-topology");
        int slice = sliceLevel == null ? 1 : Integer.parseInt(annotations.getOrDefault(PODS + "slice-size", "1"));
        if (required != null) {
            return new TopologyRequest(Mode.REQUIRED, required, slice, sliceLevel);
        } else if (preferred != null) {
            return new TopologyRequest(Mode.PREFERRED, preferred, slice, sliceLevel);
        }
        boolean unconstrained = annotations
                .getOrDefault(PODS + "unconstrained-topology", "false")
                .equals("true");
        return unconstrained || sliceLevel != null
                ? new TopologyRequest(Mode.UNCONSTRAINED, null, slice, sliceLevel)
                : null;
    }

    /** The LocalQueue of a job. */
    private int localQueue(JobSpec job) {
        SubmissionTerms terms = job.terms();
        String partition = terms.partition();
        if (partition != null && job.virtualCluster() != null) {
            Integer queue = queues.get(job.virtualCluster() + "/" + partition);
            if (queue != null) {
                return queue;
            }
        }
        for (String name : Stream.of(partition, terms.account(), job.virtualCluster(), terms.unixGroup())
                .filter(java.util.Objects::nonNull)
                .toList()) {
            Integer queue = queues.get(name);
            if (queue != null) {
                return queue;
            }
        }
        return otherwise;
    }

    private long priority(SubmissionTerms terms) {
        Long ofClass =
                terms.qos() == null ? null : tree.objects.priorityClasses().get(terms.qos());
        if (ofClass != null) {
            return ofClass;
        }
        return terms.priority() == null ? 0 : terms.priority();
    }

    KueueWorkload of(JobSpec job, long createdNanos) {
        int local = localQueue(job);
        int queue = clusterQueues[local];
        Demand demand = job.demand();
        int pods = pods(demand, job.terms().nodes());
        int gpusEach = demand.gpus() / pods;
        long[] perPod = new long[tree.resources.size()];
        int gpu = gpuResource(queue);
        for (int resource = 0; resource < perPod.length; resource++) {
            boolean isCovered = tree.group(queue, resource) != null;
            perPod[resource] = switch (tree.resources.get(resource)) {
                case "cpu" -> isCovered ? demand.cpuMilliOf(Math.max(1, gpusEach)) : 0;
                case "memory" -> isCovered ? demand.memoryMibOf(Math.max(1, gpusEach)) * MIB : 0;
                case "pods" -> isCovered ? 1 : 0;
                default -> resource == gpu ? gpusEach : 0;
            };
        }
        PodSet set = new PodSet(pods, perPod, flavor -> suits(demand, flavor, pods, gpusEach), requests.get(local));
        long priority = priority(job.terms());
        // The age of a workload decides whom it may displace under this policy alone.
        Object alike = tree.queue(queue).preemption().within() == Policy.LOWER_OR_NEWER_EQUAL_PRIORITY
                        || tree.queue(queue).preemption().reclaim() == Policy.LOWER_OR_NEWER_EQUAL_PRIORITY
                ? job
                : Arrays.asList(
                        tree.sharesByUsage(queue) ? local : queue,
                        priority,
                        pods,
                        LongList.of(perPod),
                        demand.gpuTypes(),
                        requests.get(local),
                        job.virtualCluster());
        KueueWorkload workload = new KueueWorkload(job.id(), queue, priority, createdNanos, List.of(set), alike);
        workload.localQueue = local;
        return workload;
    }

    private boolean suits(Demand demand, int flavor, int pods, int gpusEach) {
        BitSet servers = nodes.servers(flavor);
        boolean allows = demand.gpus() == 0
                || servers.stream()
                        .anyMatch(server -> demand.allows(
                                nodes.topology.server(server).gpuType().name()));
        return allows && nodes.hasRoom(flavor, pods, gpusEach);
    }

    /** The resource that stands for GPUs: the first that the queue covers, else the first of all. */
    private int gpuResource(int queue) {
        int first = -1;
        for (int resource = 0; resource < tree.resources.size(); resource++) {
            if (SimulatedNodes.isGpu(tree.resources.get(resource))) {
                if (tree.group(queue, resource) != null) {
                    return resource;
                }
                first = first < 0 ? resource : first;
            }
        }
        return first;
    }

    private int pods(Demand demand, int wanted) {
        int gpus = demand.gpus();
        if (gpus == 0 || demand.oneServer()) {
            return 1;
        }
        if (wanted > 0 && gpus % wanted == 0 && gpus / wanted <= nodes.topology.widestServer()) {
            return wanted;
        }
        int pods = nodes.topology.fewestServers(gpus);
        while (gpus % pods != 0) {
            pods++;
        }
        return pods;
    }

    /** Whether the workload could ever be admitted, on an empty cluster. */
    boolean isPossible(KueueWorkload workload, PodPlacement placement) {
        ClusterQueue queue = tree.queue(workload.queue);
        QuotaNode node = tree.queues.get(workload.queue);
        boolean possible = !queue.stopped();
        for (int resource = 0; resource < tree.resources.size() && possible; resource++) {
            long amount = workload.podSets.get(0).total(resource);
            QuotaGroup group = amount == 0 ? null : tree.group(workload.queue, resource);
            if (amount > 0) {
                possible = group != null && any(workload, group, node, placement);
            }
        }
        return possible;
    }

    /** Why a workload that is not possible never starts. */
    String refusal(KueueWorkload workload) {
        ClusterQueue queue = tree.queue(workload.queue);
        if (queue.stopped()) {
            return "ClusterQueue %s is stopped".formatted(queue.name());
        }
        List<String> parts = new ArrayList<>();
        for (int resource = 0; resource < tree.resources.size(); resource++) {
            long amount = workload.podSets.get(0).total(resource);
            QuotaGroup group = amount == 0 ? null : tree.group(workload.queue, resource);
            String name = tree.resources.get(resource);
            long most = 0;
            for (QuotaGroup.FlavorQuotas quotas :
                    group == null ? List.<QuotaGroup.FlavorQuotas>of() : group.flavors()) {
                int flavor = tree.flavors.indexOf(quotas.flavor());
                most = Math.max(most, tree.queues.get(workload.queue).most(tree.at(flavor, resource)));
            }
            if (amount > most) {
                parts.add("%,d of %s, of which it may have %,d".formatted(amount, name, most));
            }
        }
        return "ClusterQueue %s can never admit %s"
                .formatted(
                        queue.name(),
                        parts.isEmpty() ? "it: no flavor has nodes for its pods" : String.join(", ", parts));
    }

    private boolean any(KueueWorkload workload, QuotaGroup group, QuotaNode node, PodPlacement placement) {
        for (QuotaGroup.FlavorQuotas quotas : group.flavors()) {
            int flavor = tree.flavors.indexOf(quotas.flavor());
            boolean fits = placement.suits(workload, 0, flavor) && placement.hasRoomOnEmpty(workload, flavor);
            for (String name : group.resources()) {
                int resource = tree.resources.indexOf(name);
                fits &= workload.podSets.get(0).total(resource) <= node.most(tree.at(flavor, resource));
            }
            if (fits) {
                return true;
            }
        }
        return false;
    }
}
