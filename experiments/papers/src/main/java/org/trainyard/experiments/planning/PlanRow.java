package org.trainyard.experiments.planning;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.mixed.MixedPlanner;
import org.trainyard.env.pipeline.planning.DappleReleasedPlanner;
import org.trainyard.env.pipeline.planning.Devices;
import org.trainyard.env.pipeline.planning.PipelinePlan;

/**
 * The plan of one planner, as it is shown.
 *
 * @param speedup compute of an iteration on one GPU of speed 1 over the iteration
 * @param dappleSpeedup the same by the estimate of DAPPLE's released code, or NaN for a plan without stages
 * @param bubbleShare part of the GPU time without work, or NaN for a plan without stages
 * @param memoryBytes on the fullest GPU
 * @param bottleneck kind of work that takes longest
 * @param fits whether the memory suffices
 * @param pipeline the plan, or null for a plan without stages
 * @param layouts of each layer, or none for a plan of stages
 */
public record PlanRow(
        String planner,
        String stages,
        int gpus,
        double iterationSeconds,
        double speedup,
        double dappleSpeedup,
        double bubbleShare,
        double memoryBytes,
        String bottleneck,
        boolean fits,
        @Nullable PipelinePlan pipeline,
        List<MixedPlanner.LayerLayout> layouts) {
    public PlanRow {
        layouts = List.copyOf(layouts);
    }

    static PlanRow of(String planner, LayerProfile profile, Devices devices, PipelinePlan plan) {
        return new PlanRow(
                planner,
                words(plan),
                plan.layout().gpus(),
                plan.iterationSeconds(),
                plan.speedup(profile),
                DappleReleasedPlanner.estimatedSpeedup(profile, devices, plan.layout(), plan.microBatches()),
                plan.bubbleShare(),
                plan.memoryBytes(),
                plan.bottleneck().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                plan.fits(),
                plan,
                List.of());
    }

    static PlanRow of(String planner, LayerProfile profile, MixedPlanner.Plan plan, int gpus, int microBatches) {
        String words = Counted.say(
                "%d of %d layers split%s",
                plan.layers().stream()
                        .filter(layer -> layer.weights().isSplit())
                        .count(),
                profile.size(),
                plan.servers() > 1 ? Counted.say(", batch over %d servers", plan.servers()) : "");
        double speedup = microBatches * profile.computeSeconds() / plan.iterationSeconds();
        return new PlanRow(
                planner,
                words,
                gpus,
                plan.iterationSeconds(),
                speedup,
                Double.NaN,
                Double.NaN,
                plan.memoryBytes(),
                "-",
                plan.fits(),
                null,
                plan.layers());
    }

    /** Layers and replicas of each stage, such as {@code 18x15 | 7x1}. */
    private static String words(PipelinePlan plan) {
        List<String> stages = plan.layout().stages().stream()
                .map(stage -> "%dx%d".formatted(stage.end() - stage.first(), stage.replicas()))
                .toList();
        String pipelines = plan.layout().pipelines() > 1
                ? Counted.say(" in %d pipelines", plan.layout().pipelines())
                : "";
        return String.join(" | ", stages) + pipelines;
    }
}
