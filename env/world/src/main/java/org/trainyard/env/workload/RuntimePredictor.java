package org.trainyard.env.workload;

/**
 * Predicts run times of jobs from their attributes at submission and from the run times of finished jobs.
 *
 * <p>One instance serves one run of one simulator, in the order of simulated time. Its predictions are a function of
 * the sequence of calls so far, so that a new instance given the same calls continues identically.
 */
public interface RuntimePredictor {
    /** Run time alone on the best placement, seconds, above zero. Asked once, when the job arrives. */
    double predictSeconds(JobSpec job);

    /** Reports a finished job, and its run time alone on its best placement in seconds. */
    void finished(JobSpec job, double idealSeconds);

    /** Predicts the true run times: an upper reference, and the assumption of most published simulators. */
    static RuntimePredictor oracle(Workload workload) {
        return new RuntimePredictor() {
            @Override
            public double predictSeconds(JobSpec job) {
                return workload.trueIdealSeconds(job.id());
            }

            @Override
            public void finished(JobSpec job, double idealSeconds) {}
        };
    }

    /**
     * Predicts the true run times times a log-normal error: the exponential of {@code sigma} times a standard normal
     * number, drawn for each job from the seed, its name and its submission. A job's number is the same under every
     * sigma and in every order of arrivals, so that runs differ by the size of the errors alone.
     */
    static RuntimePredictor lognormal(Workload workload, double sigma, long seed) {
        return new LognormalRuntimePredictor(workload, sigma, seed);
    }
}
