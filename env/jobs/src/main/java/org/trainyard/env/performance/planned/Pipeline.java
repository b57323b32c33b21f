package org.trainyard.env.performance.planned;

import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.planning.PlannerKind;

/**
 * A pipeline of stages with replicas, planned anew for the GPUs of each start.
 *
 * @param microBatches of one iteration, each of the profile's size
 */
public record Pipeline(LayerProfile profile, PlannerKind planner, int microBatches) implements Planned {
    public Pipeline {
        Planned.requireMicroBatches(microBatches);
    }

    @Override
    public String label() {
        return "pipeline:" + planner.label();
    }
}
