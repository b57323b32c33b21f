package org.trainyard.env.pipeline.planning;

import java.util.List;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

/** Data parallelism: all layers on every GPU, gradients all-reduced after the last micro-batch, without overlap. */
public final class DataParallelPlanner implements PipelinePlanner {
    @Override
    public PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches) {
        PipelineStage all = new PipelineStage(0, profile.size(), all(devices));
        return PipelinePlan.of(
                profile,
                devices,
                new StageLayout(List.of(all), MicroBatchOrder.ONE_FORWARD_ONE_BACKWARD),
                microBatches);
    }

    static int[] all(Devices devices) {
        int[] all = new int[devices.count()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        return all;
    }
}
