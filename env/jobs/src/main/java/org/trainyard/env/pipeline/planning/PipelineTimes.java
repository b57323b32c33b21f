package org.trainyard.env.pipeline.planning;

import java.util.List;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.PipelineSchedule;

/**
 * The times of a layout's resources, stages at even and channels at odd indices, and the schedule that follows from
 * them.
 *
 * <p>A stage takes the time of its layers over the summed speeds of its replicas. With several pipelines a resource has
 * the time of the slowest, and every pipeline runs its share of the micro-batches, rounded up.
 */
public final class PipelineTimes {
    private final double[] forward;
    private final double[] backward;
    private final double[] allReduce;
    private final PipelineSchedule schedule;

    private PipelineTimes(double[] forward, double[] backward, double[] allReduce, PipelineSchedule schedule) {
        this.forward = forward;
        this.backward = backward;
        this.allReduce = allReduce;
        this.schedule = schedule;
    }

    /** @param microBatches of one iteration, over all pipelines */
    public static PipelineTimes of(LayerProfile profile, Devices devices, StageLayout layout, int microBatches) {
        List<PipelineStage> stages = layout.stages();
        int resources = 2 * stages.size() - 1;
        double[] forward = new double[resources];
        double[] backward = new double[resources];
        double[] allReduce = new double[resources];
        for (int s = 0; s < stages.size(); s++) {
            PipelineStage stage = stages.get(s);
            double speed = slowest(devices, stage, layout.pipelines());
            forward[2 * s] = profile.forwardSeconds(stage.first(), stage.end()) / speed;
            backward[2 * s] = profile.backwardSeconds(stage.first(), stage.end()) / speed;
            allReduce[2 * s] =
                    devices.allReduceSeconds(stage.gpus(), profile.parameterBytes(stage.first(), stage.end()))
                            / layout.syncPeriod();
            if (s + 1 < stages.size()) {
                double bytes = profile.cutBytes(stage.end());
                forward[2 * s + 1] = transfer(devices, stage, stages.get(s + 1), layout.pipelines(), bytes);
                backward[2 * s + 1] = transfer(devices, stages.get(s + 1), stage, layout.pipelines(), bytes);
            }
        }
        int each = (microBatches + layout.pipelines() - 1) / layout.pipelines();
        return new PipelineTimes(
                forward, backward, allReduce, PipelineSchedule.of(forward, backward, each, layout.order()));
    }

    private static double slowest(Devices devices, PipelineStage stage, int pipelines) {
        double slowest = Double.POSITIVE_INFINITY;
        for (int p = 0; p < pipelines; p++) {
            double sum = 0;
            for (int gpu : stage.gpusOf(p, pipelines)) {
                sum += devices.speed(gpu);
            }
            slowest = Math.min(slowest, sum);
        }
        return slowest;
    }

    /** The slowest pipeline's transfer between two stages, seconds. */
    static double transfer(Devices devices, PipelineStage from, PipelineStage to, int pipelines, double bytes) {
        double longest = 0;
        for (int p = 0; p < pipelines; p++) {
            longest = Math.max(
                    longest, devices.transferSeconds(from.gpusOf(p, pipelines), to.gpusOf(p, pipelines), bytes));
        }
        return longest;
    }

    public PipelineSchedule schedule() {
        return schedule;
    }

    /** All-reduce of a stage, or zero for a channel, seconds. */
    public double allReduceSeconds(int resource) {
        return allReduce[resource];
    }

    /** Time of one iteration, seconds. */
    public double iterationSeconds() {
        return schedule.end(allReduce);
    }

    /** The part of the iteration in which the stages neither compute nor all-reduce, weighted by their GPUs, 0..1. */
    double bubbleShare(StageLayout layout) {
        double busy = 0;
        for (int s = 0; s < layout.stages().size(); s++) {
            int r = 2 * s;
            busy += layout.stages().get(s).replicas()
                    * (schedule.microBatches() * (forward[r] + backward[r]) + allReduce[r]);
        }
        return Math.max(0, 1 - busy / (layout.gpus() * iterationSeconds()));
    }

    /** The resource with most work in an iteration. */
    Bottleneck bottleneck() {
        double compute = 0;
        double channel = 0;
        double reduce = 0;
        for (int r = 0; r < forward.length; r++) {
            double work = schedule.microBatches() * (forward[r] + backward[r]);
            compute = r % 2 == 0 ? Math.max(compute, work) : compute;
            channel = r % 2 == 1 ? Math.max(channel, work) : channel;
            reduce = Math.max(reduce, allReduce[r]);
        }
        return compute >= Math.max(channel, reduce)
                ? Bottleneck.COMPUTE
                : channel >= reduce ? Bottleneck.CHANNEL : Bottleneck.ALL_REDUCE;
    }
}
