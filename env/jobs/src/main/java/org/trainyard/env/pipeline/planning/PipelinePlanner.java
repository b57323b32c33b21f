package org.trainyard.env.pipeline.planning;

import org.trainyard.env.pipeline.LayerProfile;

/** Plans one synchronous iteration of a model on given GPUs. Planners are pure: equal arguments give equal plans. */
public interface PipelinePlanner {
    /**
     * The planner's best plan; one that does not {@link PipelinePlan#fits fit} in memory only if it found no other.
     *
     * @param microBatches of one iteration, each of the profile's size
     */
    PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches);
}
