package org.trainyard.env.pipeline.planning;

import java.util.Arrays;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

/**
 * PipeDream with a flush after every iteration: the partition with the smallest bottleneck as if all links were as slow
 * as the slowest, on GPUs in the order of their numbers, one forward one backward.
 *
 * <p>Source: D. Narayanan et al.: PipeDream: generalized pipeline parallelism for DNN training, SOSP 2019, as
 * synchronous training, the baseline of SPP and DAPPLE. Our deviations: (1) the all-reduce of SPP's recurrence, half as
 * long as in the released code, which counts each direction of a parameter server; (2) one level of links.
 */
public final class PipeDreamPlanner implements PipelinePlanner {
    private static final int MOST_STAGES = 8;

    @Override
    public PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches) {
        int count = devices.count();
        double slowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < i; j++) {
                slowest = Math.min(slowest, devices.bytesPerSecond(i, j));
            }
        }
        double[][] uniform = new double[count][count];
        for (double[] row : uniform) {
            Arrays.fill(row, slowest);
        }
        int most = Math.min(MOST_STAGES, Math.min(profile.size(), count));
        StagePartition partition = new StagePartition(
                profile, DeviceGraph.of(uniform), DataParallelPlanner.all(devices), microBatches, most);
        int chosen = 1;
        double least = partition.bottleneckSeconds(1);
        for (int stages = 2; stages <= most; stages++) {
            double bottleneck = partition.bottleneckSeconds(stages);
            if (bottleneck < least) {
                least = bottleneck;
                chosen = stages;
            }
        }
        StageLayout layout = new StageLayout(partition.stages(chosen), MicroBatchOrder.ONE_FORWARD_ONE_BACKWARD);
        return PipelinePlan.of(profile, devices, layout, microBatches);
    }
}
