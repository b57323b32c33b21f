package org.trainyard.env.synchronisation;

import java.util.Arrays;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.ring.RateLaw;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TrainingPlan;

/**
 * Workers on all GPUs, each with a batch of its own, that commit to parameter servers when a model of synchronisation
 * says so. Their speeds follow from the model that they train and from their GPUs; an iteration of the job is one
 * effective step of every worker.
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
     * All workers are on the fastest GPUs, and commits take no time: workers of other models of synchronisation need
     * not wait for the slowest.
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

    /**
     * The rate of a job whose workers commit to parameter servers, by the GPUs, neighbours and network of its
     * placement.
     *
     * <p>A worker steps at the speed of its GPU over the slowdown by the neighbours on its server. Deviations: (1) a
     * rate is the mean over a training and changes only with the placement and its neighbours: ADACOMM's local steps
     * and ADSP's search take no time of their own; (2) parameters are spread evenly over the workers, so that a commit
     * moves {@code 2 (w-1)/w} of the gradients through the narrowest link of the placement; (3) of stragglers only the
     * slowest counts, and it is on the slowest GPU; (4) the workers of a job know the best commit rate for themselves,
     * also beside neighbours that change.
     */
    private static final class SynchronisedRates {
        private final RingPerformance rings;

        SynchronisedRates(RingPerformance rings) {
            this.rings = rings;
        }

        /**
         * Iterations per second.
         *
         * @param bytesPerSecond what contention leaves the job between servers; infinite for all there is
         * @param slowdownOn slowdown of the workers on the i-th server, at least 1
         */
        double iterationsPerSecond(
                JobSpec job,
                Synchronised plan,
                Placement placement,
                double bytesPerSecond,
                IntToDoubleFunction slowdownOn) {
            double[] stepSeconds = stepSeconds(job, placement, slowdownOn);
            int slowest = 0;
            for (int i = 1; i < stepSeconds.length; i++) {
                slowest = stepSeconds[i] > stepSeconds[slowest] ? i : slowest;
            }
            stepSeconds[slowest] *= rings.straggling(job, stepSeconds.length);
            if (stepSeconds.length == 1) {
                return 1 / stepSeconds[0];
            }
            double[] speeds =
                    Arrays.stream(stepSeconds).map(seconds -> 1 / seconds).toArray();
            double commit = commitSeconds(job, placement, bytesPerSecond);
            return plan.model().pace(UnevenWorkers.of(commit, speeds)).effectiveStepsPerSecond() / speeds.length;
        }

        /** Time of a push of gradients and a pull of parameters by one of at least two workers, seconds. */
        private double commitSeconds(JobSpec job, Placement placement, double most) {
            int workers = placement.gpuCount();
            return 2.0
                            * (workers - 1)
                            / workers
                            * job.model().gradientBytes()
                            / Math.min(most, rings.ringBytesPerSecond(placement))
                    + 2e-9 * rings.ringLatencyNanos(placement);
        }

        /** Compute time of a step of each worker, without stragglers, seconds. */
        private double[] stepSeconds(JobSpec job, Placement placement, IntToDoubleFunction slowdownOn) {
            double[] seconds = new double[placement.gpuCount()];
            double resized = job.demand().isElastic() ? RingPerformance.resized(job, seconds.length) : 1;
            int first = 0;
            for (int i = 0; i < placement.serverCount(); i++) {
                double each = job.model()
                                .computeSecondsOn(rings.topology()
                                        .server(placement.server(i))
                                        .gpuType())
                        * slowdownOn.applyAsDouble(i)
                        * resized;
                int next = first + placement.gpusOn(i);
                Arrays.fill(seconds, first, next, each);
                first = next;
            }
            return seconds;
        }
    }
}
