package org.trainyard.env.pipeline.planning;

import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

/**
 * SPP: device ordering by minimum cuts, for every number of stages the partition with the smallest bottleneck, and of
 * these the plan with the shortest iteration in deep order.
 *
 * <p>Source: Z. Luo et al.: Efficient pipeline planning for expedited distributed DNN training, INFOCOM 2022. Our
 * deviations: (1) the deep order in place of the paper's lists, with the paper's bound; (2) plans that lack memory are
 * dropped when others fit; (3) at most {@value #MOST_STAGES} stages.
 */
public final class SppPlanner implements PipelinePlanner {
    private static final int MOST_STAGES = 8;

    @Override
    public PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches) {
        return best(profile, devices, DeviceOrder.of(devices), microBatches);
    }

    /** The plan for a given order of the GPUs. */
    static PipelinePlan best(LayerProfile profile, Devices devices, int[] order, int microBatches) {
        int most = Math.min(MOST_STAGES, Math.min(profile.size(), devices.count()));
        StagePartition partition = new StagePartition(profile, devices, order, microBatches, most);
        PipelinePlan best = withStages(profile, devices, partition, 1, microBatches);
        for (int stages = 2; stages <= most; stages++) {
            PipelinePlan plan = withStages(profile, devices, partition, stages, microBatches);
            best = plan.isBetterThan(best) ? plan : best;
        }
        return best;
    }

    private static PipelinePlan withStages(
            LayerProfile profile, Devices devices, StagePartition partition, int stages, int microBatches) {
        StageLayout layout = new StageLayout(partition.stages(stages), MicroBatchOrder.DEEP);
        return PipelinePlan.of(profile, devices, layout, microBatches);
    }
}
