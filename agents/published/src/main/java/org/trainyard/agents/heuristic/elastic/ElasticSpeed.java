package org.trainyard.agents.heuristic.elastic;

import java.util.HashMap;
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
 * Predicted throughput of an elastic job by its number of GPUs: alone, on the best placement. Cached by model, demand
 * and number.
 */
public final class ElasticSpeed {
    private record Kind(ModelProfile model, Demand demand, int gpus) {}

    private final PerformanceModel alone;
    private final IdealPlacement ideal;
    private final Map<Kind, Double> known = new HashMap<>();

    public ElasticSpeed(Topology topology) {
        alone = new RingPerformance(topology, InterferenceModel.NONE);
        ideal = new IdealPlacement(topology);
    }

    /** Iterations per second. */
    public double of(JobSpec job, int gpus) {
        Kind kind = new Kind(job.model(), job.demand(), gpus);
        Double speed = known.get(kind);
        if (speed == null) {
            speed = ideal.candidates(gpus).stream()
                    .mapToDouble(placement -> alone.aloneRate(job, placement))
                    .max()
                    .orElse(0);
            known.put(kind, speed);
        }
        return speed;
    }

    /** Whether a running job can be resized by the number of its GPUs alone. */
    static boolean isResizable(JobSpec job) {
        return job.demand().isPlain() && job.demand().isElastic();
    }
}
