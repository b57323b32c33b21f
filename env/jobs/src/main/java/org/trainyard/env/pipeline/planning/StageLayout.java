package org.trainyard.env.pipeline.planning;

import java.util.List;
import org.trainyard.env.pipeline.MicroBatchOrder;

/**
 * The decision of a planner, without times.
 *
 * @param stages in the order of the pipeline
 * @param pipelines number of equal pipelines among which the micro-batches are divided; the GPUs of every stage are
 *     divided among them
 * @param order order of the micro-batches on every stage and channel
 * @param syncPeriod iterations per exchange of gradients between replicas, 1 for synchronous training
 */
public record StageLayout(List<PipelineStage> stages, int pipelines, MicroBatchOrder order, int syncPeriod) {
    public StageLayout {
        stages = List.copyOf(stages);
        if (stages.isEmpty() || pipelines < 1 || syncPeriod < 1) {
            throw new IllegalArgumentException(
                    "a layout has stages (%d), pipelines (%d) and a period (%d) of at least 1"
                            .formatted(stages.size(), pipelines, syncPeriod));
        }
        for (PipelineStage stage : stages) {
            if (stage.replicas() % pipelines != 0) {
                throw new IllegalArgumentException(
                        "stage (%s) cannot be divided among %d pipelines".formatted(stage, pipelines));
            }
        }
    }

    /** A layout of one synchronous pipeline. */
    public StageLayout(List<PipelineStage> stages, MicroBatchOrder order) {
        this(stages, 1, order, 1);
    }

    /** GPUs of all stages. */
    public int gpus() {
        int sum = 0;
        for (PipelineStage stage : stages) {
            sum += stage.replicas();
        }
        return sum;
    }
}
