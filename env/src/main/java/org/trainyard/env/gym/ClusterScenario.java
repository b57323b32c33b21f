package org.trainyard.env.gym;

import java.util.function.Function;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/**
 * The cluster and its physics, and what is believed of them: what stays the same from episode to episode.
 *
 * @param truth how fast jobs really run; each simulator gets a copy
 * @param belief what agents and rewards think of interference
 * @param predictors makes the run-time predictor of an episode; only an oracle looks into the workload
 */
public record ClusterScenario(
        Topology topology,
        PerformanceModel truth,
        InterferenceModel belief,
        Function<Workload, RuntimePredictor> predictors,
        Simulator.Options options) {

    /** A fresh simulator at the start of an episode. */
    public Simulator simulator(Workload workload) {
        return new Simulator(topology, workload, truth.copy(), predictors.apply(workload), options);
    }

    /** A second simulator that stands where one of this workload does, and goes its own way from here. */
    public Simulator fork(Simulator simulator, Workload workload) {
        return simulator.fork(predictors.apply(workload));
    }
}
