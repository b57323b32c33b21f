package org.trainyard.env.synchronisation;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * The rate of a job whose workers commit to parameter servers, by the GPUs, neighbours and network of its placement.
 *
 * <p>A worker steps at the speed of its GPU over the slowdown by the neighbours on its server. Deviations: (1) a
 * rate is the mean over a training and changes only with the placement and its neighbours: ADACOMM's local steps
 * and ADSP's search take no time of their own; (2) parameters are spread evenly over the workers, so that a commit
 * moves {@code 2 (w-1)/w} of the gradients through the narrowest link of the placement; (3) of stragglers only the
 * slowest counts, and it is on the slowest GPU; (4) the workers of a job know the best commit rate for themselves,
 * also beside neighbours that change.
 */
final class SynchronisedRates {
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
        double[] speeds = Arrays.stream(stepSeconds).map(seconds -> 1 / seconds).toArray();
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
                            .computeSecondsOn(
                                    rings.topology().server(placement.server(i)).gpuType())
                    * slowdownOn.applyAsDouble(i)
                    * resized;
            int next = first + placement.gpusOn(i);
            Arrays.fill(seconds, first, next, each);
            first = next;
        }
        return seconds;
    }
}
