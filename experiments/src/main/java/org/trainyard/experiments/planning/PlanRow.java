package org.trainyard.experiments.planning;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.mixed.MixedPlanner;
import org.trainyard.env.pipeline.planning.PipelinePlan;

/**
 * The plan of one planner, as it is shown.
 *
 * @param planner its name
 * @param stages the stages in words
 * @param gpus GPUs used
 * @param iterationSeconds time of one iteration
 * @param speedup over one GPU of speed 1
 * @param bubbleShare part of the GPU time without work, or NaN for a plan without stages
 * @param memoryBytes on the fullest GPU
 * @param bottleneck kind of work that takes longest
 * @param fits whether the memory suffices
 * @param pipeline the plan, or null for a plan without stages
 */
public record PlanRow(
        String planner,
        String stages,
        int gpus,
        double iterationSeconds,
        double speedup,
        double bubbleShare,
        double memoryBytes,
        String bottleneck,
        boolean fits,
        @Nullable PipelinePlan pipeline) {
    static PlanRow of(String planner, PipelinePlan plan, double speedup) {
        return new PlanRow(
                planner,
                words(plan),
                plan.layout().gpus(),
                plan.iterationSeconds(),
                speedup,
                plan.bubbleShare(),
                plan.memoryBytes(),
                plan.bottleneck().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                plan.fits(),
                plan);
    }

    static PlanRow of(String planner, LayerProfile profile, MixedPlanner.Plan plan, int gpus, int microBatches) {
        String words = "%d of %d layers split%s"
                .formatted(
                        plan.splitLayers(),
                        profile.size(),
                        plan.servers() > 1 ? ", batch over %d servers".formatted(plan.servers()) : "");
        double speedup = microBatches * profile.computeSeconds() / plan.iterationSeconds();
        return new PlanRow(
                planner,
                words,
                gpus,
                plan.iterationSeconds(),
                speedup,
                Double.NaN,
                plan.memoryBytes(),
                "-",
                plan.fits(),
                null);
    }

    /** Such as {@code 18x15 | 7x1}: layers and replicas of each stage. */
    private static String words(PipelinePlan plan) {
        List<String> stages = plan.layout().stages().stream()
                .map(stage -> "%dx%d".formatted(stage.end() - stage.first(), stage.replicas()))
                .toList();
        String pipelines = plan.layout().pipelines() > 1
                ? " in %d pipelines".formatted(plan.layout().pipelines())
                : "";
        return String.join(" | ", stages) + pipelines;
    }
}
