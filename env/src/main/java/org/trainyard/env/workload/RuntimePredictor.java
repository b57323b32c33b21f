package org.trainyard.env.workload;

/**
 * Guesses how long a job will run, from what is known at its submission and from jobs that have finished.
 *
 * <p>One instance serves one run of one simulator, in the order of simulated time. What it answers is a function of the calls so far
 * and their order: a fresh one to which the same calls are made goes on in the same way.
 */
public interface RuntimePredictor {
    /** Run time alone on the best placement, seconds, above zero. Asked once, when the job arrives. */
    double predictSeconds(JobSpec job);

    /** The same as work: iterations at the job's ideal rate. Asked instead of {@link #predictSeconds}, likewise once. */
    default double predictIterations(JobSpec job) {
        return predictSeconds(job) * job.idealIterationsPerSecond();
    }

    /** Tells of a finished job how long it would have run alone on its best placement, seconds. */
    void finished(JobSpec job, double idealSeconds);

    /** Knows the truth: the upper reference, and what published simulators assume. */
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
     * Knows the truth but for a factor: the exponential of {@code sigma} times a standard normal number, drawn for each job from the
     * seed, its name and its submission. Half of the guesses are too long. A job's number is the same under every sigma and in
     * whatever order jobs arrive, so that runs differ by the size of the error alone.
     */
    static RuntimePredictor lognormal(Workload workload, double sigma, long seed) {
        return new LognormalRuntimePredictor(workload, sigma, seed);
    }
}
