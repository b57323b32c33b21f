package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.SwitchTree;
import org.trainyard.env.workload.Segments;

/** Free GPUs, CPUs and memory of each node, and the sets of nodes that have so many GPUs free. */
final class FreeNodes {
    private final int[] wholeGpus;
    private final int[] wholeCpus;
    private final long[] wholeMemory;
    final int[] gpus;
    final int[] cpus;
    /** Memory, MiB. */
    final long[] memory;

    private final BitSet[] withFree;
    private final BitSet idle;
    /** The nodes of each weight, the least first. */
    private final List<BitSet> byWeight;

    private final @Nullable SwitchTree switches;
    /** By partition with MaxCPUsPerNode, the CPUs of each node that its jobs may hold yet; null for others. */
    private final int[] @Nullable [] left;

    /** The running jobs of each user by node, where a partition gives nodes to one user at a time; empty elsewhere. */
    private final List<Map<String, Integer>> users = new ArrayList<>();

    /** Running jobs of such partitions by node. */
    private final int[] ofOneUser;

    FreeNodes(SlurmCluster cluster) {
        List<SlurmCluster.Node> nodes = cluster.nodes();
        switches = cluster.switches();
        wholeGpus = nodes.stream().mapToInt(SlurmCluster.Node::gpus).toArray();
        wholeCpus = nodes.stream().mapToInt(SlurmCluster.Node::cpus).toArray();
        gpus = wholeGpus.clone();
        wholeMemory = nodes.stream().mapToLong(SlurmCluster.Node::memoryMib).toArray();
        cpus = wholeCpus.clone();
        memory = wholeMemory.clone();
        left = new int[cluster.partitions().size()][];
        for (SlurmPartition partition : cluster.partitions()) {
            int most = partition.bounds().maxCpusPerNode();
            if (most >= 0) {
                left[partition.index()] = new int[nodes.size()];
                Arrays.fill(left[partition.index()], most);
            }
        }
        boolean isForUsers = cluster.partitions().stream()
                .anyMatch(partition -> partition.bounds().exclusiveUser());
        ofOneUser = new int[nodes.size()];
        Map<Long, BitSet> weights = new TreeMap<>();
        for (int node = 0; node < nodes.size(); node++) {
            if (isForUsers) {
                users.add(new HashMap<>());
            }
            weights.computeIfAbsent(nodes.get(node).weight(), weight -> new BitSet())
                    .set(node);
        }
        byWeight = List.copyOf(weights.values());
        int most = 0;
        for (int count : gpus) {
            most = Math.max(most, count);
        }
        withFree = new BitSet[most + 1];
        idle = new BitSet(gpus.length);
        idle.set(0, gpus.length);
        for (int count = 0; count <= most; count++) {
            withFree[count] = new BitSet(gpus.length);
            for (int node = 0; node < gpus.length; node++) {
                withFree[count].set(node, gpus[node] >= count);
            }
        }
    }

    private FreeNodes(FreeNodes from) {
        wholeGpus = from.wholeGpus;
        wholeCpus = from.wholeCpus;
        wholeMemory = from.wholeMemory;
        memory = from.memory.clone();
        from.users.forEach(counts -> users.add(new HashMap<>(counts)));
        ofOneUser = from.ofOneUser.clone();
        gpus = from.gpus.clone();
        cpus = from.cpus.clone();
        idle = (BitSet) from.idle.clone();
        byWeight = from.byWeight;
        switches = from.switches;
        left = new int[from.left.length][];
        for (int i = 0; i < left.length; i++) {
            int[] counts = from.left[i];
            left[i] = counts == null ? null : counts.clone();
        }
        withFree = new BitSet[from.withFree.length];
        for (int i = 0; i < withFree.length; i++) {
            withFree[i] = (BitSet) from.withFree[i].clone();
        }
    }

    FreeNodes copy() {
        return new FreeNodes(this);
    }

    /** Gives (+1) or takes (-1) the resources of a job on its nodes. */
    void change(SlurmJob job, int sign) {
        for (int i = 0; i < job.nodes.length; i++) {
            int node = job.nodes[i];
            int before = gpus[node];
            int after = before + sign * Long.bitCount(job.gpus[i]);
            gpus[node] = after;
            cpus[node] += sign * cpusOf(job, node);
            memory[node] += sign * memoryOf(job, node);
            if (!users.isEmpty()) {
                users.get(node)
                        .merge(job.request().user(), -sign, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
                ofOneUser[node] -= job.partition.bounds().exclusiveUser() ? sign : 0;
            }
            int[] counts = left[job.partition.index()];
            if (counts != null) {
                counts[node] += sign * cpusOf(job, node);
            }
            for (int count = before + 1; count <= after; count++) {
                withFree[count].set(node);
            }
            for (int count = after + 1; count <= before; count++) {
                withFree[count].clear(node);
            }
            idle.set(node, after == wholeGpus[node] && cpus[node] == wholeCpus[node]);
        }
    }

    /** The CPUs that a job holds of a node. */
    int cpusOf(SlurmJob job, int node) {
        return job.request().exclusive() ? wholeCpus[node] : job.request().cpusPerNode();
    }

    /** The memory that a job holds of a node, MiB. */
    long memoryOf(SlurmJob job, int node) {
        return job.request().exclusive() ? wholeMemory[node] : job.request().memoryMib();
    }

    /** The CPUs of a node that the jobs of a partition may hold yet, whether or not they are free. */
    int leftTo(int partition, int node) {
        int[] counts = left[partition];
        return counts == null ? Integer.MAX_VALUE : counts[node];
    }

    /** Whether the jobs of a partition may hold so many CPUs of each node at most. */
    boolean isCapped(int partition) {
        return left[partition] != null;
    }

    /** Whether the free part of a node is enough. */
    boolean suffice(int node, int freeGpus, int freeCpus, int neededGpus, int neededCpus, boolean alone) {
        return freeGpus >= neededGpus
                && freeCpus >= neededCpus
                && (!alone || (freeGpus == wholeGpus[node] && freeCpus == wholeCpus[node]));
    }

    /** The nodes of a set that a job would start on; null where it fits on too few. */
    @Nullable BitSet choose(SlurmJob job, SlurmPartition in, BitSet among) {
        return chooseOf(job, usable(job, in, among), cpus);
    }

    /**
     * The nodes of a set of usable ones that a job takes, nodes of less weight first; null when there are too few. A
     * job that is no larger than its segment is in none.
     *
     * @param freeCpus of each node
     */
    @Nullable BitSet chooseOf(SlurmJob job, BitSet usable, int[] freeCpus) {
        Segments segments = segments(job);
        if (segments != null && switches != null) {
            return SegmentChoice.choose(usable, job.nodes(), segments, byWeight, switches);
        }
        return switches == null && job.request().gpusPerNode() == 0
                ? NodeChoice.choose(usable, job.nodes(), byWeight, freeCpus)
                : chooseOf(usable, job.nodes());
    }

    /** Whether nodes enough may not do for a job, for it has to be below one switch or in segments. */
    boolean isBound(SlurmJob job) {
        return switches != null && (switches.roots().size() > 1 || segments(job) != null);
    }

    /** Segments of a job that count: of more than one, and on blocks. */
    private @Nullable Segments segments(SlurmJob job) {
        Segments asked = job.request().segments();
        return asked != null && switches != null && switches.hasBlocks() && asked.nodes() < job.nodes() ? asked : null;
    }

    /** Chooses among usable nodes, those of less weight first; null when there are too few. */
    @Nullable BitSet chooseOf(BitSet usable, int nodes) {
        if (switches != null) {
            return NodeChoice.choose(usable, nodes, byWeight, switches);
        }
        return byWeight.size() > 1 ? NodeChoice.choose(usable, nodes, byWeight) : NodeChoice.choose(usable, nodes);
    }

    /** Takes from a set the nodes that a job may not share with the users who are there. */
    void keepApart(SlurmJob job, SlurmPartition in, BitSet nodes) {
        if (users.isEmpty()) {
            return;
        }
        String user = job.request().user();
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            boolean others = users.get(node).keySet().stream().anyMatch(other -> !other.equals(user));
            if (others && (in.bounds().exclusiveUser() || ofOneUser[node] > 0)) {
                nodes.clear(node);
            }
        }
    }

    /** Leaves the nodes of a set that have the features and types of GPUs that a job asks for. */
    static void suit(SlurmJob.Request request, BitSet nodes) {
        BitSet featured = request.featured();
        BitSet typed = request.typed();
        if (featured != null) {
            nodes.and(featured);
        }
        if (typed != null) {
            nodes.and(typed);
        }
    }

    /**
     * Chooses among usable nodes by weight, within a weight nodes in use first; null when there are too few. As Slurm
     * does it, a plan that nodes in use suffice for holds one idle node too.
     */
    @Nullable BitSet chooseBusy(BitSet usable, int nodes, BitSet idleNow) {
        if (usable.cardinality() < nodes) {
            return null;
        }
        BitSet chosen = new BitSet(usable.length());
        int needed = nodes;
        for (int weight = 0; needed > 0; weight++) {
            BitSet busy = (BitSet) usable.clone();
            busy.and(byWeight.get(weight));
            BitSet unused = (BitSet) busy.clone();
            unused.and(idleNow);
            busy.andNot(idleNow);
            needed -= take(busy, needed, chosen);
            needed -= take(unused, Math.max(1, needed), chosen);
        }
        return chosen;
    }

    /** Takes the first nodes of a set; how many there were of those wanted. */
    private static int take(BitSet from, int wanted, BitSet into) {
        int taken = 0;
        for (int node = from.nextSetBit(0); node >= 0 && taken < wanted; node = from.nextSetBit(node + 1)) {
            into.set(node);
            taken++;
        }
        return taken;
    }

    /** Nodes of which no job holds anything. */
    BitSet idle() {
        return idle;
    }

    /** The nodes of a set that a job fits on in a partition. */
    BitSet usable(SlurmJob job, SlurmPartition in, BitSet among) {
        BitSet fit = (BitSet) among.clone();
        SlurmJob.Request request = job.request();
        if (request.gpusPerNode() >= withFree.length) {
            fit.clear();
            return fit;
        }
        fit.and(request.exclusive() ? idle : withFree[request.gpusPerNode()]);
        suit(request, fit);
        keepApart(job, in, fit);
        int needed = request.cpusPerNode();
        for (int node = fit.nextSetBit(0); node >= 0; node = fit.nextSetBit(node + 1)) {
            if (cpus[node] < needed
                    || memory[node] < request.memoryMib()
                    || gpus[node] < request.gpusPerNode()
                    || leftTo(in.index(), node) < needed) {
                fit.clear(node);
            }
        }
        return fit;
    }
}
