package org.trainyard.env.pipeline.planning;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

/**
 * DAPPLE's planner: starting with all layers on all GPUs, the last stage is divided again and again, at every layer,
 * for every number of GPUs and by three placement policies, and the plan with the least estimated latency wins.
 *
 * <p>Source: S. Fan et al.: DAPPLE: a pipelined data parallel approach for training large models, PPoPP 2021. Our
 * deviations: (1) of the plans with equally many stages and equally many GPUs in all but the last stage only the best
 * {@value #BEAM} are divided further, with at most {@value #CUTS} cuts for the same GPUs, until {@value #PATIENCE}
 * stages more gain nothing; (2) all of these are scheduled, and the shortest iteration that fits in memory wins.
 */
public final class DapplePlanner implements PipelinePlanner {
    private static final int BEAM = 4;
    private static final int CUTS = 3;
    private static final int MOST_STAGES = 8;
    /** Stages that may be added without a gain before the search ends. */
    private static final int PATIENCE = 2;

    private record Draft(List<PipelineStage> fixed, int layer, BitSet occupied, int free, double seconds) {}

    @Override
    public PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches) {
        Search search = new Search(profile, devices, microBatches);
        List<Draft> front = List.of(search.whole());
        PipelinePlan best = search.finished(front.get(0));
        int improvedAt = 1;
        for (int stages = 2; stages <= Math.min(MOST_STAGES, improvedAt + PATIENCE); stages++) {
            front = search.divided(front);
            for (Draft draft : front) {
                PipelinePlan plan = search.finished(draft);
                if (plan.isBetterThan(best)) {
                    best = plan;
                    improvedAt = stages;
                }
            }
        }
        return best;
    }

    private static final class Search {
        private final LayerProfile profile;
        private final Devices devices;
        private final int microBatches;
        private final Map<BitSet, List<List<int[]>>> candidates = new HashMap<>();

        Search(LayerProfile profile, Devices devices, int microBatches) {
            this.profile = profile;
            this.devices = devices;
            this.microBatches = microBatches;
        }

        Draft whole() {
            return new Draft(List.of(), 0, new BitSet(), devices.count(), Double.POSITIVE_INFINITY);
        }

        PipelinePlan finished(Draft draft) {
            List<PipelineStage> stages = new ArrayList<>(draft.fixed());
            int[] rest = PipelineEstimate.free(draft.occupied(), devices.count());
            stages.add(new PipelineStage(draft.layer(), profile.size(), rest));
            return PipelinePlan.of(profile, devices, new StageLayout(stages, MicroBatchOrder.DEEP), microBatches);
        }

        /** The best drafts with one stage more. */
        List<Draft> divided(List<Draft> front) {
            List<Draft> next = new ArrayList<>();
            for (Draft draft : front) {
                for (List<int[]> ofOneSize : candidates(draft)) {
                    for (int[] taken : ofOneSize) {
                        divide(draft, taken, next);
                    }
                }
            }
            next.sort(Comparator.comparingDouble(Draft::seconds));
            int[] kept = new int[devices.count() + 1];
            return next.stream().filter(draft -> kept[draft.free()]++ < BEAM).toList();
        }

        /** The GPUs that the next stage may take, for one GPU, two, and so on. */
        private List<List<int[]>> candidates(Draft draft) {
            return candidates.computeIfAbsent(draft.occupied(), occupied -> {
                List<List<int[]>> all = new ArrayList<>();
                for (int gpus = 1; gpus < draft.free(); gpus++) {
                    all.add(DevicePlacement.candidates(devices, occupied, gpus));
                }
                return all;
            });
        }

        /** Adds the best cuts of the last stage of a draft when the first part of it takes these GPUs. */
        private void divide(Draft draft, int[] taken, List<Draft> next) {
            BitSet occupied = (BitSet) draft.occupied().clone();
            for (int gpu : taken) {
                occupied.set(gpu);
            }
            PipelineEstimate estimate = new PipelineEstimate(profile, devices, draft.fixed(), taken, occupied);
            int cuts = profile.size() - draft.layer() - 1;
            double[] seconds = new double[Math.max(0, cuts)];
            for (int i = 0; i < cuts; i++) {
                seconds[i] = estimate.latency(draft.layer(), draft.layer() + 1 + i, microBatches)
                        .seconds();
            }
            for (int kept = 0; kept < Math.min(CUTS, cuts); kept++) {
                int best = 0;
                for (int i = 1; i < cuts; i++) {
                    best = seconds[i] < seconds[best] ? i : best;
                }
                List<PipelineStage> fixed = new ArrayList<>(draft.fixed());
                int layer = draft.layer() + 1 + best;
                fixed.add(new PipelineStage(draft.layer(), layer, taken));
                next.add(new Draft(fixed, layer, occupied, draft.free() - taken.length, seconds[best]));
                seconds[best] = Double.POSITIVE_INFINITY;
            }
        }
    }
}
