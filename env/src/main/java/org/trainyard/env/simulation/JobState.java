package org.trainyard.env.simulation;

/** Where a job is in its life. */
public enum JobState {
    /** Not yet submitted: nobody knows of it. */
    FUTURE(0),
    WAITING(1),
    RUNNING(2),
    DONE(3);

    private static final JobState[] BY_CODE = values();

    /** Its byte in a snapshot; never to change. */
    final byte code;

    JobState(int code) {
        this.code = (byte) code;
    }

    static JobState ofCode(byte code) {
        return BY_CODE[code];
    }
}
