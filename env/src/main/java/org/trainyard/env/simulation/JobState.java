package org.trainyard.env.simulation;

/** Where a job is in its life. */
public enum JobState {
    /** Not yet submitted: nobody knows of it. */
    FUTURE,
    WAITING,
    RUNNING,
    DONE
}
