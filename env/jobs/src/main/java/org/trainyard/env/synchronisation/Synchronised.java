package org.trainyard.env.synchronisation;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.ring.RateLaw;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;

/**
 * Workers on all GPUs, each with a batch of its own, that commit to parameter servers when a model of
 * synchronisation says so. Their speeds follow from the model that they train and from their GPUs; an iteration
 * of the job is one effective step of every worker.
 */
public record Synchronised(SynchronisationModel model) implements TrainingPlan, RateLaw {
    static final String PREFIX = "sync:";

    @Override
    public String label() {
        return PREFIX + model.label();
    }

    static @Nullable Synchronised parse(String label) {
        SynchronisationModel model = SynchronisationModel.parse(label.substring(PREFIX.length()));
        return model == null ? null : new Synchronised(model);
    }

    @Override
    public double aloneRate(JobSpec job, Placement placement, RingPerformance rings) {
        return placement.gpuCount() == 0
                ? rings.ringRate(job, placement)
                : new SynchronisedRates(rings)
                        .iterationsPerSecond(job, this, placement, Double.POSITIVE_INFINITY, i -> 1);
    }

    /**
     * All workers are on the fastest GPUs, and commits take no time: workers of other models of synchronisation
     * need not wait for the slowest.
     */
    @Override
    public double mostIterationsPerSecond(JobSpec job, int workers, Set<ServerSpec> servers) {
        if (workers == 0) {
            return 1 / job.model().computeSeconds();
        }
        double least = servers.stream()
                .filter(spec ->
                        spec.gpus() > 0 && job.demand().allows(spec.gpuType().name()))
                .mapToDouble(spec -> job.model().computeSecondsOn(spec.gpuType()))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        if (Double.isInfinite(least)) {
            return 0;
        }
        double resized = job.demand().isElastic() ? RingPerformance.resized(job, workers) : 1;
        double[] speeds = new double[workers];
        Arrays.fill(speeds, 1 / (least * resized));
        return workers == 1 ? speeds[0] : model.mostEffectiveSteps(UnevenWorkers.of(0, speeds)) / workers;
    }

    @Override
    public boolean isLocal() {
        return false;
    }

    /**
     * Neighbours slow the workers of their own server alone, and contention the commits. They never speed a job up,
     * although some models gain by workers that are more alike.
     */
    @Override
    public double slowdown(JobSpec job, Placement placement, Occupancy occupancy, RingPerformance rings) {
        double bandwidth = placement.serverCount() == 1
                ? Double.POSITIVE_INFINITY
                : rings.sharedBytesPerSecond(job, placement, occupancy);
        double now = new SynchronisedRates(rings)
                .iterationsPerSecond(
                        job, this, placement, bandwidth, i -> rings.slowdownOn(i, job, placement, occupancy));
        return Math.max(1, rings.aloneRate(job, placement) / now);
    }
}
