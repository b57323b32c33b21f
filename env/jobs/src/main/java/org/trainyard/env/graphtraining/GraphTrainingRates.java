package org.trainyard.env.graphtraining;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * The rate of a job that trains on a graph: that of the slowest stage on its slowest server, alone or with other such
 * jobs there.
 *
 * <p>Deviations from BGL: (1) a server without a limit has {@value #CORES_PER_GPU} cores for each GPU; a job that asks
 * for host CPU has these cores for itself, the others divide what no job asked for; (2) PCIe bandwidth comes in
 * {@value #PCIE_UNITS} equal units; (3) graph stores are machines of their own, with as many cores for every worker,
 * however many jobs there are; (4) all host memory that a job asks for caches features, and a cache is full from the
 * start; (5) the all-reduce follows the computation on the GPU and shares the network card with no transfer of a stage;
 * (6) other jobs take no PCIe bandwidth from the stages, but slow them as the interference model says.
 */
final class GraphTrainingRates {
    private static final int CORES_PER_GPU = 12;
    private static final int PCIE_UNITS = 96;

    private record Present(int id, SharedServer.Tenant tenant) {}

    private final RingPerformance rings;
    private final Topology topology;
    private final boolean isEven;

    GraphTrainingRates(RingPerformance rings) {
        this.rings = rings;
        topology = rings.topology();
        isEven = rings.division() == GraphIsolation.EVEN;
    }

    /** Alone: iterations of a mini-batch for each GPU that the job was submitted for, per second. */
    double iterationsPerSecond(JobSpec job, GraphTraining plan, Placement placement) {
        return placement.gpuCount() / (job.gpus() * secondsAlone(job, plan, placement));
    }

    private double secondsAlone(JobSpec job, GraphTraining plan, Placement placement) {
        double longest = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            List<SharedServer.Tenant> alone = List.of(tenant(i, job, plan, placement));
            longest = Math.max(longest, seconds(alone, share(server, cores(server)))[0]);
        }
        return longest;
    }

    private double[] seconds(List<SharedServer.Tenant> tenants, ServerShare share) {
        return isEven ? SharedServer.evenly(tenants, share) : SharedServer.together(tenants, share);
    }

    private SharedServer.Tenant tenant(int i, JobSpec job, GraphTraining plan, Placement placement) {
        int workers = placement.gpusOn(i);
        double compute = job.model()
                        .computeSecondsOn(topology.server(placement.server(i)).gpuType())
                * rings.straggling(job, placement.gpuCount());
        Stages stages = plan.dataset()
                .stages(
                        plan.cache(),
                        workers,
                        job.demand().memoryMibOf(workers) * (double) (1 << 20),
                        compute + rings.allReduceSeconds(job, placement));
        return new SharedServer.Tenant(stages, job.demand().cpuMilli() == 0 ? 0 : Math.max(2, cores(job, workers)));
    }

    private static int cores(JobSpec job, int workers) {
        return (int) (job.demand().cpuMilliOf(workers) / 1000);
    }

    private int cores(int server) {
        long milli = topology.server(server).cpuMilli();
        return milli == ServerSpec.UNLIMITED ? CORES_PER_GPU * topology.gpusOn(server) : (int) (milli / 1000);
    }

    private ServerShare share(int server, int cores) {
        return new ServerShare(
                Math.max(2, cores),
                PCIE_UNITS,
                topology.fabric().pcie().bytesPerSecond() / PCIE_UNITS,
                topology.nic(server).bytesPerSecond());
    }

    /**
     * How much longer an iteration takes because of the other jobs that train on graphs on the i-th server, at least 1.
     */
    double slowdownOn(int i, JobSpec job, GraphTraining plan, Placement placement, Occupancy occupancy) {
        int server = placement.server(i);
        if (placement.gpuCount() == 0) {
            return 1;
        }
        List<Present> present = new ArrayList<>();
        present.add(new Present(job.id(), tenant(i, job, plan, placement)));
        int free = cores(server) - cores(job, placement.gpusOn(i));
        for (int n = 0; n < occupancy.jobsOn(server); n++) {
            int id = occupancy.jobOn(server, n);
            if (id != job.id()) {
                JobSpec other = occupancy.job(id);
                Placement where = occupancy.placement(id);
                int at = where.indexOf(server);
                free -= cores(other, where.gpusOn(at));
                if (other.plan() instanceof GraphTraining graph && where.gpusOn(at) > 0) {
                    present.add(new Present(id, tenant(at, other, graph, where)));
                }
            }
        }
        if (present.size() == 1) {
            return 1;
        }
        // Occupancies list jobs in any order.
        present.sort(Comparator.comparingInt(Present::id));
        List<SharedServer.Tenant> tenants =
                present.stream().map(Present::tenant).toList();
        double[] seconds = seconds(tenants, share(server, free));
        int mine = 0;
        while (present.get(mine).id() != job.id()) {
            mine++;
        }
        return Math.max(1, seconds[mine] / secondsAlone(job, plan, placement));
    }
}
