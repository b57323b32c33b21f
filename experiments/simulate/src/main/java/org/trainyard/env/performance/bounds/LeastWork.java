package org.trainyard.env.performance.bounds;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/**
 * Lower bounds on the time and the GPU time of a job under any scheduler.
 *
 * @param releaseSeconds time of submission
 * @param seconds least time on GPUs, above zero
 * @param gpuSeconds least time on GPUs x number of GPUs; 0 for a job without GPUs
 * @param stretch by GPU type of the cluster, the least GPU time where the slowest GPU in use is of the type, over
 *     {@code gpuSeconds}: at least 1, infinite where the job must not use it
 */
record LeastWork(double releaseSeconds, double seconds, double gpuSeconds, List<Double> stretch) {
    LeastWork {
        if (!(seconds > 0) || !(gpuSeconds >= 0) || Double.isInfinite(seconds) || Double.isInfinite(gpuSeconds)) {
            throw new IllegalArgumentException("least work (%s s, %s GPU s) must be finite and above zero"
                    .formatted(Double.toString(seconds), Double.toString(gpuSeconds)));
        }
        stretch = List.copyOf(stretch);
    }

    /** The least sum of GPU time x price of the GPU's type that does all of the work. */
    double price(double[] prices) {
        double least = Double.POSITIVE_INFINITY;
        for (int type = 0; type < prices.length; type++) {
            least = Math.min(least, prices[type] * stretch.get(type));
        }
        return gpuSeconds == 0 ? 0 : least * gpuSeconds;
    }

    /**
     * The bounds of an episode's jobs, by id. Interference, contention, restarts and outages only add to them; a job
     * with a time limit may be killed at it. The two bounds of an elastic job may be those of different numbers of
     * GPUs.
     */
    static List<LeastWork> of(Workload workload, Topology topology, RingPerformance truth) {
        FastestRates rates = new FastestRates(topology, truth);
        List<GpuType> types = GpuCapacity.of(topology).types();
        List<LeastWork> least = new ArrayList<>();
        for (int job = 0; job < workload.size(); job++) {
            least.add(of(workload.job(job), workload.trueIterations(job), rates, types, topology.gpus()));
        }
        return least;
    }

    private static LeastWork of(JobSpec job, double iterations, FastestRates rates, List<GpuType> types, int gpus) {
        Demand demand = job.demand();
        double seconds = Double.POSITIVE_INFINITY;
        double gpuSeconds = Double.POSITIVE_INFINITY;
        double[] onType = new double[types.size()];
        Arrays.fill(onType, Double.POSITIVE_INFINITY);
        double limit = job.terms().limitNanos() == 0
                ? Double.POSITIVE_INFINITY
                : job.terms().limitNanos() / 1e9;
        int most = Math.max(demand.minGpus(), Math.min(demand.maxGpus(), gpus));
        for (int workers = demand.minGpus(); workers <= most; workers++) {
            double here = Math.min(limit, iterations / rates.iterationsPerSecond(job, workers));
            seconds = Math.min(seconds, here);
            gpuSeconds = Math.min(gpuSeconds, here * workers * demand.gpuMilli() / Demand.WHOLE);
            for (int type = 0; type < onType.length; type++) {
                double slow = Math.min(limit, iterations / rates.iterationsPerSecond(job, workers, types.get(type)));
                onType[type] = Math.min(onType[type], slow * workers * demand.gpuMilli() / Demand.WHOLE);
            }
        }
        List<Double> stretch = new ArrayList<>();
        for (double there : onType) {
            stretch.add(gpuSeconds == 0 ? 1 : there / gpuSeconds);
        }
        return new LeastWork(job.submitNanos() / 1e9, seconds, gpuSeconds, stretch);
    }
}
