package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.Qos;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.AskedLimit;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.trace.log.Billed;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * Jobs of the simulator as requests to Slurm, and Slurm's allocations as placements.
 *
 * <p>Simplified: (1) a gang asks for the fewest nodes on which its GPUs can be spread evenly, and leaves the excess of
 * the even parts idle; where there are no such nodes, for all nodes alone; (2) parts of a GPU hold it whole, and
 * elastic jobs stay as large as they were submitted; (3) types of GPUs and features are partitions of their own, and
 * counts of features ({@code [a*2]}) are not read; (4) a job that names no limit has its predicted run time, in whole
 * minutes; (5) tasks of an array are jobs, held by the simulator.
 */
final class SimulatedJobs {
    private static final double SECOND = 1e9;

    private final Topology topology;
    private final SlurmCluster cluster;
    private final int[] serversWith;
    private final Map<List<Object>, SlurmPartition> typed = new HashMap<>();

    SimulatedJobs(Topology topology, SlurmCluster cluster) {
        this.topology = topology;
        this.cluster = cluster;
        serversWith = new int[topology.widestServer() + 1];
        for (int server = 0; server < topology.servers(); server++) {
            for (int gpus = 0; gpus <= topology.gpusOn(server); gpus++) {
                serversWith[gpus]++;
            }
        }
    }

    SlurmJob.Request request(SimView view, int id) {
        JobSpec job = view.submitted(id);
        long limit = limitSeconds(view, id, job.terms());
        if (!view.maintenance().isEmpty()) {
            limit = Math.max(limit, (long) Math.ceil(job.askedLimitNanos() / SECOND));
        }
        return request(job, limit, true);
    }

    /** The request of a job with a time limit in seconds; -1 for none. */
    SlurmJob.Request request(JobSpec job, long limitSeconds) {
        return request(job, limitSeconds, false);
    }

    /** The limit that the user of a job asked for, seconds; that of its request where nothing else is known. */
    static long askedSeconds(JobSpec job, SlurmJob.Request request) {
        AskedLimit asked = job.of(AskedLimit.class);
        return asked == null ? request.limitSeconds() : (long) Math.ceil(asked.nanos() / SECOND);
    }

    /**
     * @param isGuess whether a job that names no limit has this one, which is no longer than its QOS and partitions
     *     allow
     */
    private SlurmJob.Request request(JobSpec job, long limitSeconds, boolean isGuess) {
        Demand demand = hosted(job);
        SubmissionTerms terms = job.terms();
        int nodes = nodes(demand, terms.nodes());
        boolean everywhere = nodes == 0;
        int each = everywhere ? 0 : (demand.gpus() + nodes - 1) / nodes;
        Billed billed = job.of(Billed.class);
        List<SlurmPartition> partitions = new ArrayList<>();
        String named = terms.partition();
        for (String name : named == null ? new String[] {""} : named.split(",", -1)) {
            SlurmPartition partition = typed(cluster.partition(name), demand, terms.features());
            if (!partitions.contains(partition)) {
                partitions.add(partition);
            }
        }
        long limit = isGuess && terms.limitNanos() == 0
                ? Math.min(limitSeconds, longest(partitions, cluster.qos(terms.qos())))
                : limitSeconds;
        return new SlurmJob.Request(
                job.id(),
                -1,
                job.user() == null ? "nobody" : job.user(),
                partitions,
                cluster.qos(terms.qos()),
                everywhere ? Math.max(1, partitions.get(0).nodes().cardinality()) : nodes,
                each,
                everywhere ? 0 : (int) Math.min(1 << 30, -Math.floorDiv(-demand.cpuMilliOf(Math.max(1, each)), 1000)),
                limit,
                terms.nice(),
                everywhere || terms.exclusive(),
                null,
                SlurmText.licenses(
                        "job " + job.name() + ", licenses", terms.licenses() == null ? "" : terms.licenses()),
                everywhere ? 0 : demand.memoryMibOf(Math.max(1, each)),
                billed == null ? 0 : billed.perSecond(),
                null,
                null,
                terms.segments());
    }

    /** The longest limit that a QOS and one of the partitions allow, seconds. */
    private long longest(List<SlurmPartition> partitions, Qos qos) {
        long longest = 0;
        for (SlurmPartition partition : partitions) {
            long ofFirst = partition.qos().isEmpty()
                    ? -1
                    : cluster.qos(partition.qos()).maxSeconds();
            long wall = ofFirst < 0 ? qos.maxSeconds() : ofFirst;
            long most = partition.maxSeconds() < 0 ? Long.MAX_VALUE : partition.maxSeconds();
            longest = Math.max(longest, cluster.limited() && wall >= 0 ? Math.min(most, wall) : most);
        }
        return longest;
    }

    /** Nodes for a demand; 0 when it can be spread evenly over none. */
    private int nodes(Demand demand, int wanted) {
        int gpus = demand.gpus();
        if (gpus == 0 || demand.oneServer()) {
            return 1;
        }
        if (wanted > 0 && wanted <= gpus && fits(gpus, wanted)) {
            return wanted;
        }
        for (int nodes = topology.fewestServers(gpus); nodes <= Math.min(gpus, topology.servers()); nodes++) {
            if (fits(gpus, nodes)) {
                return nodes;
            }
        }
        return 0;
    }

    private boolean fits(int gpus, int nodes) {
        int each = (gpus + nodes - 1) / nodes;
        return each < serversWith.length && serversWith[each] >= nodes;
    }

    /** The demand with the CPUs and memory that its log says, where it has none. */
    private static Demand hosted(JobSpec job) {
        HostShare said = job.of(HostShare.class);
        return said == null || job.demand().cpuMilli() > 0 || job.demand().memoryMib() > 0
                ? job.demand()
                : job.demand().withHost(said.cpuMilli(), said.memoryMib());
    }

    private SlurmPartition typed(SlurmPartition partition, Demand demand, @Nullable String features) {
        boolean isTyped = !demand.gpuTypes().isEmpty() && demand.gpus() > 0;
        boolean isFeatured = features != null
                && cluster.nodes().stream().anyMatch(node -> !node.features().isEmpty());
        if (!isTyped && !isFeatured) {
            return partition;
        }
        String asked = isFeatured ? String.valueOf(features) : "";
        return typed.computeIfAbsent(List.of(partition.name(), demand.gpuTypes(), asked), any -> {
            BitSet nodes = (BitSet) partition.nodes().clone();
            for (int server = 0; server < topology.servers(); server++) {
                boolean isType = !isTyped
                        || demand.allows(topology.server(server).gpuType().name());
                if (!isType || (isFeatured && !cluster.nodes().get(server).has(asked))) {
                    nodes.clear(server);
                }
            }
            return partition.on(nodes);
        });
    }

    private static long limitSeconds(SimView view, int id, SubmissionTerms terms) {
        if (terms.limitNanos() > 0) {
            return (long) Math.ceil(terms.limitNanos() / SECOND);
        }
        double minutes = Math.ceil(Math.max(1, view.predictedSeconds(id)) / 60);
        return 60 * (long) Math.min(minutes, Integer.MAX_VALUE);
    }

    /** The GPUs of a job that Slurm has started, no more than it demands. */
    Placement placement(SlurmJob job, Demand demand) {
        if (demand.gpus() == 0) {
            return Placement.onServer(topology, job.nodes[0]);
        }
        int[] gpus = new int[demand.gpus()];
        int most = job.request().gpusPerNode() == 0 ? Long.SIZE : job.request().gpusPerNode();
        int count = 0;
        for (int i = 0; i < job.nodes.length; i++) {
            long held = job.gpus[i];
            for (int taken = 0; held != 0 && taken < most && count < gpus.length; taken++) {
                gpus[count++] = topology.firstGpu(job.nodes[i]) + Long.numberOfTrailingZeros(held);
                held &= held - 1;
            }
        }
        return Placement.of(topology, gpus);
    }

    /** Puts a job that runs in the simulator on the same GPUs in Slurm. */
    static void adopt(SlurmState state, SlurmJob job, Placement placement, long startSecond) {
        int[] nodes = new int[placement.serverCount()];
        long[] gpus = new long[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = placement.server(i);
            gpus[i] = placement.maskOn(i);
        }
        state.startOn(job, job.request().partitions().get(0), nodes, gpus, startSecond);
    }
}
