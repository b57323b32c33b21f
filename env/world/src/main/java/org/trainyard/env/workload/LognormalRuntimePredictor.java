package org.trainyard.env.workload;

import org.trainyard.env.Invalid;
import org.trainyard.env.RandomStreams;

/** True run times times log-normal errors of a chosen size, to measure the cost of prediction errors. */
final class LognormalRuntimePredictor implements RuntimePredictor {
    private final Workload workload;
    private final double sigma;
    private final long seed;

    LognormalRuntimePredictor(Workload workload, double sigma, long seed) {
        Invalid.when(!(sigma >= 0 && sigma <= 10), "sigma (%s) must be in 0..10", sigma);
        this.workload = workload;
        this.sigma = sigma;
        this.seed = seed;
    }

    @Override
    public double predictSeconds(JobSpec job) {
        String purpose = "run time of %s at %d".formatted(job.name(), job.submitNanos());
        double normal = RandomStreams.stream(seed, purpose).nextGaussian();
        return workload.trueIdealSeconds(job.id()) * Math.exp(sigma * normal);
    }

    @Override
    public void finished(JobSpec job, double idealSeconds) {}
}
