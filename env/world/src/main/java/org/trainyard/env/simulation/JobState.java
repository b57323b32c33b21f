package org.trainyard.env.simulation;

/** The state of a job. */
public enum JobState {
    /** Not yet submitted and unknown to schedulers. */
    FUTURE,
    WAITING,
    RUNNING,
    /** Completed, killed at its time limit, or rejected. */
    DONE,
    /** Submitted, but not to start before its begin time, its dependencies or the limit of its array allow it. */
    HELD
}
