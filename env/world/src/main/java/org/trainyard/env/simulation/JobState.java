package org.trainyard.env.simulation;

/** The state of a job. */
public enum JobState {
    /** Not yet submitted and unknown to schedulers. */
    FUTURE(0),
    WAITING(1),
    RUNNING(2),
    /** Completed, killed at its time limit, or rejected. */
    DONE(3),
    /** Submitted, but not to start before its begin time, its dependencies or the limit of its array allow it. */
    HELD(4);

    private static final JobState[] BY_CODE = values();

    /** Its code in a snapshot; must never change. */
    final byte code;

    JobState(int code) {
        this.code = (byte) code;
    }

    static JobState ofCode(byte code) {
        return BY_CODE[code];
    }
}
