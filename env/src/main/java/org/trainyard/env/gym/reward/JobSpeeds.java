package org.trainyard.env.gym.reward;

import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/** How fast running jobs go as a part of their ideal speed, as far as a reward knows. */
public interface JobSpeeds {
    /** 1 for a running job that loses nothing by where it is and beside whom, less for others. */
    double of(SimView view, int job);

    /** What a belief about interference says, on a cluster whose links are known. */
    static JobSpeeds believed(Topology topology, InterferenceModel interference) {
        PerformanceModel belief = new RingPerformance(topology, interference);
        return (view, job) -> {
            JobSpec spec = view.job(job);
            double alone = belief.aloneRate(spec, view.placement(job)) / spec.idealIterationsPerSecond();
            return alone / belief.slowdown(spec, view.placement(job), view);
        };
    }

    /** What the simulator's physics say: for ablations only, for no scheduler of a real cluster could be paid by it. */
    static JobSpeeds real() {
        return (view, job) -> view.rate(job) / view.job(job).idealIterationsPerSecond();
    }
}
