package org.trainyard.env.workload.generator;

import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TrainingPlan;

/** A plan that says what its jobs train, whatever model a trace names. */
public interface OwnModel extends TrainingPlan {
    /** The load of a job on so many GPUs, at least one. */
    ModelProfile model(ModelCatalog catalog, int gpus);

    /** Whether schedulers see the ring that is as sensitive to its placement in place of that model. */
    default boolean isSeenAsRing() {
        return false;
    }
}
