package org.trainyard.env.pipeline.planning;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

/**
 * GPipe: as many stages as GPUs, or as layers if these are fewer, balanced by compute without regard to links, GPUs in
 * the order of their numbers, all forward passes first.
 *
 * <p>Source: Y. Huang et al.: GPipe: efficient training of giant neural networks using pipeline parallelism, 2019. Our
 * deviation: (1) GPUs beyond the number of layers are spread over the stages as replicas, the last stages getting
 * fewer.
 */
public final class GPipePlanner implements PipelinePlanner {
    @Override
    public PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches) {
        int count = Math.min(profile.size(), devices.count());
        int[] ends = balanced(profile, count);
        List<PipelineStage> stages = new ArrayList<>();
        int gpu = 0;
        for (int s = 0; s < count; s++) {
            int replicas = devices.count() / count + (s < devices.count() % count ? 1 : 0);
            int[] gpus = new int[replicas];
            for (int i = 0; i < replicas; i++) {
                gpus[i] = gpu++;
            }
            stages.add(new PipelineStage(s == 0 ? 0 : ends[s - 1], ends[s], gpus));
        }
        return PipelinePlan.of(profile, devices, new StageLayout(stages, MicroBatchOrder.GPIPE), microBatches);
    }

    /** The ends of so many runs of layers whose longest run is as short as possible. O(runs x layers^2). */
    static int[] balanced(LayerProfile profile, int runs) {
        int layers = profile.size();
        double[][] longest = new double[runs + 1][layers + 1];
        int[][] start = new int[runs + 1][layers + 1];
        for (int end = 1; end <= layers; end++) {
            longest[1][end] = profile.computeSeconds(0, end);
        }
        for (int run = 2; run <= runs; run++) {
            for (int end = run; end <= layers; end++) {
                longest[run][end] = Double.POSITIVE_INFINITY;
                for (int first = run - 1; first < end; first++) {
                    double value = Math.max(longest[run - 1][first], profile.computeSeconds(first, end));
                    if (value < longest[run][end]) {
                        longest[run][end] = value;
                        start[run][end] = first;
                    }
                }
            }
        }
        int[] ends = new int[runs];
        int end = layers;
        for (int run = runs; run >= 1; run--) {
            ends[run - 1] = end;
            end = start[run][end];
        }
        return ends;
    }
}
