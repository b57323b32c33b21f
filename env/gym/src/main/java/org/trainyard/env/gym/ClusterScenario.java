package org.trainyard.env.gym;

import java.util.function.Function;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.PerformanceModel;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.Workload;

/**
 * What all episodes of an environment share: the cluster, its physics, and the models that agents and rewards have
 * of it.
 *
 * @param truth the physics; each simulator gets a copy
 * @param belief the model of interference by which agents observe and rewards judge
 * @param predictors makes the run-time predictor of an episode; only an oracle reads the workload
 */
public record ClusterScenario(
        Topology topology,
        PerformanceModel truth,
        InterferenceModel belief,
        Function<Workload, RuntimePredictor> predictors,
        Simulator.Options options) {

    /** The same with other options of the simulator. */
    public ClusterScenario with(Simulator.Options newOptions) {
        return new ClusterScenario(topology, truth, belief, predictors, newOptions);
    }

    /** A new simulator at the start of an episode. */
    public Simulator simulator(Workload workload) {
        return new Simulator(topology, workload, truth.copy(), predictors.apply(workload), options);
    }

    /** Creates a simulator at the start of an episode whose events go to the sink. */
    public Simulator simulator(Workload workload, EventSink events) {
        return new Simulator(topology, workload, truth.copy(), predictors.apply(workload), options.withEvents(events));
    }
}
