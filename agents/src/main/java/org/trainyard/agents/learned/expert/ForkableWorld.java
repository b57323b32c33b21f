package org.trainyard.agents.learned.expert;

import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

/** The training episodes of a learner that forks simulations. Must be safe for several threads. */
public interface ForkableWorld {
    /** The episode of this number. */
    Workload episode(long number);

    /** A new simulator at the start of an episode. */
    Simulator simulator(Workload episode);

    /** A copy of a simulation, in its present state, with another future; see {@link Simulator#fork(Workload, org.trainyard.env.workload.RuntimePredictor)}. */
    Simulator fork(Simulator simulator, Workload future);
}
