package org.trainyard.env.pipeline.planning;

import java.util.BitSet;
import java.util.List;
import org.trainyard.env.pipeline.DappleLatency;
import org.trainyard.env.pipeline.LayerProfile;

/**
 * DAPPLE's latency of plans that differ only in the cut between their last two stages, where the GPUs of all stages are
 * given.
 */
final class PipelineEstimate {
    private final LayerProfile profile;
    private final double[] forward;
    private final double[] backward;
    private final double[] allReduce;
    private final double takenSpeed;
    private final double restSpeed;
    private final double takenReduce;
    private final double restReduce;
    private final double thereSeconds;
    private final double backSeconds;

    /**
     * @param fixed the stages before
     * @param taken GPUs of the last stage but one
     * @param occupied GPUs that the last stage does not have
     */
    PipelineEstimate(LayerProfile profile, Devices devices, List<PipelineStage> fixed, int[] taken, BitSet occupied) {
        this.profile = profile;
        int resources = 2 * fixed.size() + 3;
        forward = new double[resources];
        backward = new double[resources];
        allReduce = new double[resources];
        int[] rest = free(occupied, devices.count());
        for (int s = 0; s < fixed.size(); s++) {
            PipelineStage stage = fixed.get(s);
            double speed = speed(devices, stage.gpus());
            int[] next = s + 1 < fixed.size() ? fixed.get(s + 1).gpus() : taken;
            double bytes = profile.cutBytes(stage.end());
            forward[2 * s] = profile.forwardSeconds(stage.first(), stage.end()) / speed;
            backward[2 * s] = profile.backwardSeconds(stage.first(), stage.end()) / speed;
            allReduce[2 * s] =
                    devices.allReduceSeconds(stage.gpus(), profile.parameterBytes(stage.first(), stage.end()));
            forward[2 * s + 1] = devices.transferSeconds(stage.gpus(), next, bytes);
            backward[2 * s + 1] = devices.transferSeconds(next, stage.gpus(), bytes);
        }
        takenSpeed = speed(devices, taken);
        restSpeed = speed(devices, rest);
        takenReduce = devices.allReduceSeconds(taken, 1);
        restReduce = devices.allReduceSeconds(rest, 1);
        thereSeconds = devices.transferSeconds(taken, rest, 1);
        backSeconds = devices.transferSeconds(rest, taken, 1);
    }

    /** The GPUs that are not occupied. */
    static int[] free(BitSet occupied, int gpus) {
        int[] free = new int[gpus - occupied.cardinality()];
        int count = 0;
        for (int gpu = occupied.nextClearBit(0); gpu < gpus; gpu = occupied.nextClearBit(gpu + 1)) {
            free[count++] = gpu;
        }
        return free;
    }

    private static double speed(Devices devices, int[] gpus) {
        double sum = 0;
        for (int gpu : gpus) {
            sum += devices.speed(gpu);
        }
        return sum;
    }

    /** @param layer first layer of the last stage */
    DappleLatency latency(int first, int layer, int microBatches) {
        int last = forward.length - 1;
        int end = profile.size();
        double bytes = profile.cutBytes(layer);
        forward[last - 2] = profile.forwardSeconds(first, layer) / takenSpeed;
        backward[last - 2] = profile.backwardSeconds(first, layer) / takenSpeed;
        allReduce[last - 2] = takenReduce * profile.parameterBytes(first, layer);
        forward[last - 1] = thereSeconds * bytes;
        backward[last - 1] = backSeconds * bytes;
        forward[last] = profile.forwardSeconds(layer, end) / restSpeed;
        backward[last] = profile.backwardSeconds(layer, end) / restSpeed;
        allReduce[last] = restReduce * profile.parameterBytes(layer, end);
        return DappleLatency.of(forward, backward, allReduce, microBatches);
    }
}
