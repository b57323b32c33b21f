package org.trainyard.env.performance.ring;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.trainyard.env.graphtraining.GraphIsolation;
import org.trainyard.env.graphtraining.ServerShare;
import org.trainyard.env.graphtraining.SharedServer;
import org.trainyard.env.graphtraining.Stages;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.Stragglers;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;

/**
 * The rate of a job that trains on a graph: that of the slowest stage on its slowest server, alone or with other
 * such jobs there.
 *
 * <p>Deviations from BGL: (1) a server without a limit has {@value #CORES_PER_GPU} cores for each GPU; a job that
 * asks for host CPU has these cores for itself, the others divide what no job asked for; (2) PCIe bandwidth comes
 * in {@value #PCIE_UNITS} equal units; (3) graph stores are machines of their own, with as many cores for every
 * worker, however many jobs there are; (4) all host memory that a job asks for caches features, and a cache is full
 * from the start; (5) the all-reduce follows the computation on the GPU and shares the network card with no
 * transfer of a stage; (6) other jobs take no PCIe bandwidth from the stages, but slow them as the interference
 * model says.
 */
final class GraphTrainingRates {
    private static final int CORES_PER_GPU = 12;
    private static final int PCIE_UNITS = 96;

    private record Present(int id, SharedServer.Tenant tenant) {}

    private final Topology topology;
    private final Stragglers stragglers;
    private final GraphIsolation isolation;
    private final ToDoubleBiFunction<JobSpec, Placement> allReduceSeconds;

    GraphTrainingRates(
            Topology topology,
            Stragglers stragglers,
            GraphIsolation isolation,
            ToDoubleBiFunction<JobSpec, Placement> allReduceSeconds) {
        this.topology = topology;
        this.stragglers = stragglers;
        this.isolation = isolation;
        this.allReduceSeconds = allReduceSeconds;
    }

    /**
     * Whether both jobs divide a server, so that no interference model counts between them; where servers are
     * divided at all.
     */
    static boolean divide(JobSpec job, JobSpec other) {
        return job.plan() instanceof TrainingPlan.GraphTraining && other.plan() instanceof TrainingPlan.GraphTraining;
    }

    /** Alone: iterations of a mini-batch for each GPU that the job was submitted for, per second. */
    double iterationsPerSecond(JobSpec job, TrainingPlan.GraphTraining plan, Placement placement) {
        return placement.gpuCount() / (job.gpus() * secondsAlone(job, plan, placement));
    }

    private double secondsAlone(JobSpec job, TrainingPlan.GraphTraining plan, Placement placement) {
        double longest = 0;
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            List<SharedServer.Tenant> alone = List.of(tenant(i, job, plan, placement));
            longest = Math.max(longest, seconds(alone, share(server, cores(server)))[0]);
        }
        return longest;
    }

    private double[] seconds(List<SharedServer.Tenant> tenants, ServerShare share) {
        return isolation == GraphIsolation.EVEN
                ? SharedServer.evenly(tenants, share)
                : SharedServer.together(tenants, share);
    }

    private SharedServer.Tenant tenant(int i, JobSpec job, TrainingPlan.GraphTraining plan, Placement placement) {
        int workers = placement.gpusOn(i);
        double compute = job.model()
                        .computeSecondsOn(topology.server(placement.server(i)).gpuType())
                * stragglers.stretch(job, placement.gpuCount());
        Stages stages = plan.dataset()
                .stages(
                        plan.cache(),
                        workers,
                        job.demand().memoryMibOf(workers) * (double) (1 << 20),
                        compute + allReduceSeconds.applyAsDouble(job, placement));
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
    double slowdownOn(int i, JobSpec job, TrainingPlan.GraphTraining plan, Placement placement, Occupancy occupancy) {
        int server = placement.server(i);
        if (isolation == GraphIsolation.NONE || placement.gpuCount() == 0) {
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
                if (other.plan() instanceof TrainingPlan.GraphTraining graph && where.gpusOn(at) > 0) {
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
