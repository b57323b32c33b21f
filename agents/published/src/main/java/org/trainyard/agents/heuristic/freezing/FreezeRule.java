package org.trainyard.agents.heuristic.freezing;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.freezing.FreezingProfile;

/** Decides how many front layers of a running job are frozen. One object follows all jobs of a run. */
@FunctionalInterface
interface FreezeRule {
    /**
     * The number of layers to freeze; a number that is not of whole blocks counts as the next that is less. Fewer than
     * are frozen now has no effect unless the learning rate has dropped.
     */
    double layers(SimView view, int job, FreezingProfile freezing);
}
