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
 * <p>Source: github.com/AlibabaPAI/DAPPLE, BSD-3-Clause, of which the formulas are taken. As there: the all-reduce
 * of the first stage counts one layer too many, and blocks count the whole transfer of a cut as a competitor. Its
 * search over more stages minimises the bottleneck, where all layers on all GPUs cannot be beaten, so it never
 * returns another plan. Our deviations: (1) plans of one GPU for each stage, and replicas of whole pipelines, are
 * left out.
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
        double total = microBatches * profile.computeSeconds();
        double reduce = devices.allReduceSeconds(DataParallelPlanner.all(devices), profile.parameterBytes());
        return total / (total / devices.count() + reduce);
    }

    /** The code's speed-up of its best plan. */
    public double estimatedSpeedup(LayerProfile profile, Devices devices, int microBatches) {
        Bipartition best = bipartition(profile, devices, microBatches);
        double whole = dataParallelSpeedup(profile, devices, microBatches);
        return best == null ? whole : Math.max(whole, best.speedup());
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
                        double speedup = speedup(profile, devices, microBatches, cut, first, second);
                        if (best == null || speedup > best.speedup()) {
                            best = new Bipartition(
                                    List.of(
                                            new PipelineStage(0, cut, first),
                                            new PipelineStage(cut, profile.size(), second)),
                                    speedup);
                        }
                    }
                }
            }
        }
        return best;
    }

    private static double speedup(
            LayerProfile profile, Devices devices, int microBatches, int cut, int[] first, int[] second) {
        double total = profile.computeSeconds();
        double compute = Math.max(
                profile.computeSeconds(0, cut) / first.length,
                profile.computeSeconds(cut, profile.size()) / second.length);
        double transfer = devices.transferSeconds(first, second, profile.cutBytes(cut));
        double block = Math.max(compute, transfer);
        int counted = Math.min(cut + 1, profile.size());
        double reduceFirst = devices.allReduceSeconds(first, profile.parameterBytes(0, counted));
        double reduceSecond = devices.allReduceSeconds(second, profile.parameterBytes(cut, profile.size())) - block;
        double length =
                block * (microBatches - 1) + total + transfer + Math.max(0, Math.max(reduceFirst, reduceSecond));
        return microBatches * total / length;
    }
}
