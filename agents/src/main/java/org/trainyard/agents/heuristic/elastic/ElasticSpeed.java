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

/** How fast an elastic job is believed to run on so many GPUs: alone, where they are best placed. Each kind is worked out once. */
final class ElasticSpeed {
    private record Kind(ModelProfile model, Demand demand, int gpus) {}

    private final PerformanceModel alone;
    private final IdealPlacement ideal;
    private final Map<Kind, Double> known = new HashMap<>();

    ElasticSpeed(Topology topology) {
        alone = new RingPerformance(topology, InterferenceModel.NONE);
        ideal = new IdealPlacement(topology);
    }

    /** Iterations per second. */
    double of(JobSpec job, int gpus) {
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

    /** Whether a running job can be given other GPUs with nothing to mind but their number. */
    static boolean isResizable(JobSpec job) {
        return job.demand().isPlain() && job.demand().isElastic();
    }
}
