package org.trainyard.env.pipeline.planning;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

/**
 * The search of DAPPLE's released code: all layers on all GPUs, or two stages, for every cut, number of GPUs and
 * placement, ranked by the code's own estimate of the speed-up.
 *
 * <p>Source: github.com/AlibabaPAI/DAPPLE, BSD-3-Clause, of which the formulas are taken. As there: the all-reduce of
 * the first stage counts one layer too many, and blocks count the whole transfer of a cut as a competitor. Its search
 * over more stages minimises the bottleneck, where all layers on all GPUs cannot be beaten, so it never returns another
 * plan. Our deviations: (1) plans of one GPU for each stage, and replicas of whole pipelines, are left out.
 */
public final class DappleReleasedPlanner implements PipelinePlanner {
    /** A plan in two stages by the code's estimate. */
    record Bipartition(List<PipelineStage> stages, double speedup) {}

    @Override
    public PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches) {
        Bipartition best = bipartition(profile, devices, microBatches);
        List<PipelineStage> stages =
                best == null || best.speedup() <= dataParallelSpeedup(profile, devices, microBatches)
                        ? List.of(new PipelineStage(0, profile.size(), DataParallelPlanner.all(devices)))
                        : best.stages();
        return PipelinePlan.of(profile, devices, new StageLayout(stages, MicroBatchOrder.DEEP), microBatches);
    }

    /** The code's speed-up of data parallelism without overlap. */
    static double dataParallelSpeedup(LayerProfile profile, Devices devices, int microBatches) {
        PipelineStage all = new PipelineStage(0, profile.size(), DataParallelPlanner.all(devices));
        return estimatedSpeedup(profile, devices, new StageLayout(List.of(all), MicroBatchOrder.DEEP), microBatches);
    }

    /** The best plan in two stages, or null for one layer or one GPU. */
    static @Nullable Bipartition bipartition(LayerProfile profile, Devices devices, int microBatches) {
        Bipartition best = null;
        for (int gpus = 1; gpus < devices.count(); gpus++) {
            for (int[] first : DevicePlacement.candidates(devices, new BitSet(), gpus)) {
                BitSet occupied = new BitSet();
                for (int gpu : first) {
                    occupied.set(gpu);
                }
                for (int[] second : DevicePlacement.candidates(devices, occupied, devices.count() - gpus)) {
                    for (int cut = 1; cut < profile.size(); cut++) {
                        StageLayout layout = new StageLayout(
                                List.of(
                                        new PipelineStage(0, cut, first),
                                        new PipelineStage(cut, profile.size(), second)),
                                MicroBatchOrder.DEEP);
                        double speedup = estimatedSpeedup(profile, devices, layout, microBatches);
                        if (best == null || speedup > best.speedup()) {
                            best = new Bipartition(layout.stages(), speedup);
                        }
                    }
                }
            }
        }
        return best;
    }

    /**
     * The code's speed-up of any layout: all compute on one GPU over its estimate of the iteration, in which the first
     * micro-batch passes as on one GPU, unless all GPUs hold all layers, and GPUs are equally fast.
     */
    public static double estimatedSpeedup(LayerProfile profile, Devices devices, StageLayout layout, int microBatches) {
        List<PipelineStage> stages = layout.stages();
        int pipelines = layout.pipelines();
        double block = 0;
        double transfers = 0;
        for (int s = 0; s < stages.size(); s++) {
            PipelineStage stage = stages.get(s);
            int each = stage.replicas() / pipelines;
            block = Math.max(block, profile.computeSeconds(stage.first(), stage.end()) / each);
            if (s + 1 < stages.size()) {
                double transfer = PipelineTimes.transfer(
                        devices, stage, stages.get(s + 1), pipelines, profile.cutBytes(stage.end()));
                block = Math.max(block, transfer);
                transfers += transfer;
            }
        }
        double reduce = 0;
        for (int s = 0; s < stages.size(); s++) {
            PipelineStage stage = stages.get(s);
            int counted = Math.min(stage.end() + 1, profile.size());
            double all = devices.allReduceSeconds(stage.gpus(), profile.parameterBytes(stage.first(), counted));
            reduce = Math.max(reduce, all - s * block);
        }
        double total = profile.computeSeconds();
        int each = (microBatches + pipelines - 1) / pipelines;
        double first = stages.size() == 1 ? block : total;
        return microBatches * total / (block * (each - 1) + first + transfers + reduce);
    }
}
