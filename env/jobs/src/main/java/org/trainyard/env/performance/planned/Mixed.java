package org.trainyard.env.performance.planned;

import org.trainyard.env.pipeline.LayerProfile;

/**
 * Data and tensor parallelism without stages, with the best layouts of tensors on the GPUs of each start.
 *
 * @param microBatches of one iteration, computed as one batch
 */
public record Mixed(LayerProfile profile, int microBatches) implements Planned {
    static final String LABEL = "mixed:sbp";

    public Mixed {
        Planned.requireMicroBatches(microBatches);
    }

    @Override
    public String label() {
        return LABEL;
    }
}
