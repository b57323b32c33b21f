package org.trainyard.agents.heuristic.slurm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.env.Counted;

/**
 * Jobs that can never start: those that would not on the empty cluster, with all nodes in service that its
 * configuration has in service. A job for a reservation is not judged by nodes.
 */
final class EmptyCluster {
    private final SlurmCluster cluster;
    private final AccountingLimits limits;
    private final FreeNodes free;
    private final BitSet up = new BitSet();
    /** By shape and partition, why the nodes do not do. */
    private final Map<List<Object>, Optional<String>> known = new HashMap<>();

    EmptyCluster(SlurmCluster cluster, AccountingLimits limits) {
        this.cluster = cluster;
        this.limits = limits;
        free = new FreeNodes(cluster);
        for (int node = 0; node < cluster.nodes().size(); node++) {
            up.set(node, cluster.nodes().get(node).up());
        }
    }

    /** Why a job can never start: the reason of its first partition; null where one of them could start it. */
    @Nullable String refusal(SlurmJob job) {
        for (Map.Entry<String, Integer> asked : job.request().licenses().entrySet()) {
            Integer all = cluster.licenses().get(asked.getKey());
            if (all != null && asked.getValue() > all) {
                return "Licenses: %d of %s, of which there are %d".formatted(asked.getValue(), asked.getKey(), all);
            }
        }
        String first = null;
        for (SlurmPartition partition : job.request().partitions()) {
            String reason = partition.up() ? limits.refusal(job, partition, true) : "PartitionDown";
            if (reason == null && job.request().reservation() == null) {
                reason = byNodes(job, partition);
            }
            if (reason == null) {
                return null;
            }
            first = first == null ? "%s (partition %s)".formatted(reason, partition.name()) : first;
        }
        return first;
    }

    /** Whether a job would fit on some of these nodes, were they idle. */
    boolean wouldFit(SlurmJob job, SlurmPartition partition, BitSet among) {
        return free.usable(job, partition, among).cardinality() >= job.nodes();
    }

    /**
     * The partitions whose nodes can never do for a job, by their places in its request: Slurm passes it over there.
     */
    BitSet never(SlurmJob job) {
        BitSet never = new BitSet();
        List<SlurmPartition> partitions = job.request().partitions();
        for (int i = 0; i < partitions.size() && job.request().reservation() == null; i++) {
            never.set(i, byNodes(job, partitions.get(i)) != null);
        }
        return never;
    }

    private @Nullable String byNodes(SlurmJob job, SlurmPartition partition) {
        SlurmJob.Request request = job.request();
        List<Object> shape = Arrays.asList(
                partition,
                request.nodes(),
                request.gpusPerNode(),
                request.cpusPerNode(),
                request.exclusive(),
                request.memoryMib(),
                request.featured(),
                request.typed(),
                request.segments());
        return known.computeIfAbsent(shape, any -> Optional.ofNullable(nodesRefuse(job, partition)))
                .orElse(null);
    }

    private @Nullable String nodesRefuse(SlurmJob job, SlurmPartition partition) {
        SlurmJob.Request request = job.request();
        if (partition.nodes().isEmpty()) {
            return "Resources: the partition has no nodes of this cluster";
        }
        BitSet among = (BitSet) partition.nodes().clone();
        among.and(up);
        BitSet usable = free.usable(job, partition, among);
        if (usable.cardinality() < request.nodes()) {
            String each = request.gpusPerNode() > 0
                    ? Counted.say("%d GPUs and %d CPUs", request.gpusPerNode(), request.cpusPerNode())
                    : Counted.of(request.cpusPerNode(), "CPU");
            return Counted.say(
                    "Resources: %d nodes of %s, and only %d in service", request.nodes(), each, usable.cardinality());
        }
        if (free.chooseOf(job, usable, free.cpus) != null) {
            return null;
        }
        return request.segments() == null
                ? Counted.say("Resources: no switch has %d such nodes below it", request.nodes())
                : Counted.say("Resources: blocks have no %d such nodes for ", request.nodes()) + request.segments();
    }
}
