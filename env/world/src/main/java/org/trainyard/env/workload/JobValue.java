package org.trainyard.env.workload;

/** Value of a job to its owner; attached to a job. */
public interface JobValue {
    /** Horizon after submission, from which on no work adds value, seconds; may be infinite. */
    double horizonSeconds();

    /** Whether it counts the training by the horizon, rather than the delay of the completion. */
    boolean countsTraining();

    /**
     * The value of a completed job.
     *
     * @param delaySeconds completion less submission
     * @param trainedSeconds its progress at the horizon, or at its completion if that is earlier, in seconds at its
     *     ideal rate
     */
    double of(double delaySeconds, double trainedSeconds);
}
