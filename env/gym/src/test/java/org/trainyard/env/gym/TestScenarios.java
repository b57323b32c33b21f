package org.trainyard.env.gym;

import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.RuntimePredictor;

/** Scenarios for tests. */
public final class TestScenarios {
    private TestScenarios() {}

    /**
     * On a cluster with the default interference, which its agents believe in, and with true run times as predictions.
     */
    public static World known(Topology topology) {
        return new World(
                topology,
                new RingPerformance(topology, AnalyticInterference.DEFAULT),
                AnalyticInterference.DEFAULT,
                RuntimePredictor::oracle,
                Simulator.Options.DEFAULT,
                1);
    }
}
