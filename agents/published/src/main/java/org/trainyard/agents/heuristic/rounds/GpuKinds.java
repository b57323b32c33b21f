package org.trainyard.agents.heuristic.rounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * The GPU types of a cluster, and Gavel's throughput matrix: the rate of each job on each type, alone on its best
 * placement, as the analytic performance model predicts it. Rates are cached by model and demand.
 */
final class GpuKinds {
    private record Shape(ModelProfile model, Demand demand) {}

    private final List<String> names = new ArrayList<>();
    private final int[] gpus;
    private final int[] kindOfServer;
    private final IdealPlacement ideal;
    private final PerformanceModel alone;
    private final Map<Shape, List<Double>> rates = new HashMap<>();

    GpuKinds(Topology topology) {
        kindOfServer = new int[topology.servers()];
        int[] counts = new int[topology.servers()];
        for (int server = 0; server < kindOfServer.length; server++) {
            String name = topology.server(server).gpuType().name();
            if (!names.contains(name)) {
                names.add(name);
            }
            kindOfServer[server] = names.indexOf(name);
            counts[kindOfServer[server]] += topology.gpusOn(server);
        }
        gpus = Arrays.copyOf(counts, names.size());
        ideal = new IdealPlacement(topology);
        alone = new RingPerformance(topology, InterferenceModel.NONE);
    }

    int count() {
        return gpus.length;
    }

    /** GPUs of the type. */
    int gpus(int kind) {
        return gpus[kind];
    }

    int kindOfServer(int server) {
        return kindOfServer[server];
    }

    /** Iterations per second on each type; zero where the job cannot run. */
    List<Double> rates(JobSpec job) {
        return rates.computeIfAbsent(new Shape(job.model(), job.demand()), shape -> {
            List<Double> row = new ArrayList<>();
            for (int kind = 0; kind < gpus.length; kind++) {
                boolean canRun = job.demand().allows(names.get(kind))
                        && ideal.fits(on(job, kind).demand());
                row.add(canRun ? ideal.bestRate(on(job, kind), alone) : 0);
            }
            return Collections.unmodifiableList(row);
        });
    }

    /** The job as one that demands GPUs of the type. */
    JobSpec on(JobSpec job, int kind) {
        return job.demanding(job.demand().onTypes(List.of(names.get(kind))));
    }
}
