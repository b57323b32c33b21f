package org.trainyard.env.workload;

/**
 * Guesses how long a job will run, from what is known at its submission and from jobs that have finished.
 *
 * <p>One instance serves one run of one simulator, in the order of simulated time.
 */
public interface RuntimePredictor {
    /** Run time alone on the best placement, seconds, above zero. Asked once, when the job arrives. */
    double predictSeconds(JobSpec job);

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
}
