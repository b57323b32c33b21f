package org.trainyard.env.pipeline.planning;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.trainyard.env.pipeline.DappleLatency;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;

/**
 * DAPPLE's planner: starting with all layers on all GPUs, the last stage is divided again and again, at every layer, for every number of
 * GPUs and by three placement policies, and the plan with the least estimated latency wins.
 *
 * <p>Source: S. Fan et al.: DAPPLE: a pipelined data parallel approach for training large models, PPoPP 2021. Our deviations: (1) of the plans with equally many stages and equally many GPUs in all but the last stage only the
 * best {@value #BEAM} are divided further; (2) the best few by the estimate are scheduled, and of these the shortest iteration that fits in memory wins.
 */
public final class DapplePlanner implements PipelinePlanner {
    private static final int BEAM = 4;
    private static final int MOST_STAGES = 8;

    private record Draft(List<PipelineStage> fixed, int layer, BitSet occupied, int free, double seconds) {}

    @Override
    public PipelinePlan plan(LayerProfile profile, Devices devices, int microBatches) {
        Search search = new Search(profile, devices, microBatches);
        List<Draft> front = List.of(search.whole());
        PipelinePlan best = search.finished(front.get(0));
        for (int stages = 2; stages <= MOST_STAGES && !front.isEmpty(); stages++) {
            front = search.divided(front);
            for (Draft draft : front) {
                PipelinePlan plan = search.finished(draft);
                best = plan.isBetterThan(best) ? plan : best;
            }
        }
        return best;
    }

    private record Search(LayerProfile profile, Devices devices, int microBatches) {
        Draft whole() {
            return new Draft(List.of(), 0, new BitSet(), devices.count(), Double.POSITIVE_INFINITY);
        }

        /** The stages of a draft, whose last stage takes all other layers and GPUs. */
        private List<PipelineStage> stages(Draft draft) {
            List<PipelineStage> stages = new ArrayList<>(draft.fixed());
            int[] rest = PipelineEstimate.free(draft.occupied(), devices.count());
            stages.add(new PipelineStage(draft.layer(), profile.size(), rest));
            return stages;
        }

        PipelinePlan finished(Draft draft) {
            return PipelinePlan.of(
                    profile, devices, new StageLayout(stages(draft), MicroBatchOrder.DEEP), microBatches);
        }

        /** The best drafts with one stage more. */
        List<Draft> divided(List<Draft> front) {
            List<Draft> next = new ArrayList<>();
            for (Draft draft : front) {
                divide(draft, next);
            }
            next.sort(Comparator.comparingDouble(Draft::seconds));
            int[] kept = new int[devices.count() + 1];
            return next.stream().filter(draft -> kept[draft.free()]++ < BEAM).toList();
        }

        private void divide(Draft draft, List<Draft> next) {
            for (int gpus = 1; gpus < draft.free(); gpus++) {
                for (int[] taken : DevicePlacement.candidates(devices, draft.occupied(), gpus)) {
                    BitSet occupied = (BitSet) draft.occupied().clone();
                    for (int gpu : taken) {
                        occupied.set(gpu);
                    }
                    PipelineEstimate estimate = new PipelineEstimate(profile, devices, draft.fixed(), taken, occupied);
                    for (int layer = draft.layer() + 1; layer < profile.size(); layer++) {
                        DappleLatency latency = estimate.latency(draft.layer(), layer, microBatches);
                        List<PipelineStage> fixed = new ArrayList<>(draft.fixed());
                        fixed.add(new PipelineStage(draft.layer(), layer, taken));
                        next.add(new Draft(fixed, layer, occupied, draft.free() - gpus, latency.seconds()));
                    }
                }
            }
        }
    }
}
