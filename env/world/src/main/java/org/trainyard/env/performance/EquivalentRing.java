package org.trainyard.env.performance;

import java.util.HashMap;
import java.util.Map;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;

/**
 * The ring all-reduce that is as sensitive to its placement as a planned job: alone on its ideal placement, and with
 * its GPUs on as many servers as possible, it takes as long.
 *
 * <p>Ours. Schedulers and agents that estimate transfers from a model's compute time and gradients thereby see what a
 * place costs a planned job, too.
 */
final class EquivalentRing {
    private final Topology topology;
    private final PerformanceModel performance;
    private final IdealPlacement ideal;
    private final Map<WorkloadBuilder.Shape, ModelProfile> known = new HashMap<>();

    EquivalentRing(Topology topology, PerformanceModel performance) {
        this.topology = topology;
        this.performance = performance;
        ideal = new IdealPlacement(topology);
    }

    /** The job's model with the compute time and gradients of that ring. */
    ModelProfile of(JobSpec job) {
        return known.computeIfAbsent(
                new WorkloadBuilder.Shape(job.model(), job.demand(), job.plan()), shape -> fitted(job));
    }

    private ModelProfile fitted(JobSpec job) {
        double best = 1 / ideal.bestRate(job, performance);
        Placement apart = apart(job.gpus());
        double bytes = 0;
        if (apart.serverCount() > 1) {
            double lost = Math.max(0, 1 / performance.aloneRate(job, apart) - best);
            double bandwidth = topology.fabric().nic().bytesPerSecond();
            bytes = lost * bandwidth * job.gpus() / (2.0 * (job.gpus() - 1));
        }
        ModelProfile model = job.model();
        return new ModelProfile(model.name(), best, bytes, model.memoryBytes(), model.pressure(), model.sensitivity());
    }

    /** GPUs dealt to the servers in turn. */
    private Placement apart(int gpus) {
        int[] chosen = new int[gpus];
        int count = 0;
        for (int round = 0; count < gpus; round++) {
            for (int server = 0; server < topology.servers() && count < gpus; server++) {
                if (round < topology.gpusOn(server)) {
                    chosen[count++] = topology.firstGpu(server) + round;
                }
            }
        }
        return Placement.of(topology, chosen);
    }
}
