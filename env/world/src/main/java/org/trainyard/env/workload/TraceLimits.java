package org.trainyard.env.workload;

/** The largest numbers a trace may hold and still be believed. */
public final class TraceLimits {
    /** More GPUs than any one job has ever held. */
    public static final int GPUS = 1_000_000;

    /** Half of what a long holds, so that submission plus duration never overflows: about 146 years. */
    public static final long NANOS = Long.MAX_VALUE / 2;

    private TraceLimits() {}
}
