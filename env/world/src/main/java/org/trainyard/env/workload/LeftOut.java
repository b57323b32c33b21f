package org.trainyard.env.workload;

import java.util.Locale;
import org.trainyard.env.Counted;

/**
 * Jobs of a log that were left out for one reason.
 *
 * @param reason completes "jobs ..."
 * @param jobs how many
 * @param gpuHours that they held, as far as the log says
 */
public record LeftOut(String reason, long jobs, double gpuHours) {
    /** The reason of jobs of which not even the GPU-hours are known. */
    public static final String UNREADABLE = "on lines that cannot be read";

    /** Begin of the reasons of jobs that ran when the log ended. */
    public static final String RUNNING = "that still ran";

    /** Begin of the reason of jobs that waited when the log ended. */
    public static final String WAITING = "that still waited";

    /** The reason of jobs that waited then, and that free GPUs alone would not have started. */
    public static final String HELD = "that waited for more than GPUs (held, dependent, or with a begin time)";

    /** Whether the jobs ran or waited when the log ended. */
    public boolean isOpen() {
        return reason.startsWith(RUNNING) || reason.startsWith(WAITING) || reason.equals(HELD);
    }

    /** Returns these jobs together with others that were left out for the same reason. */
    public LeftOut and(LeftOut other) {
        return new LeftOut(reason, jobs + other.jobs, gpuHours + other.gpuHours);
    }

    public String sentence() {
        String hours = gpuHours > 0 ? String.format(Locale.ROOT, " (%,.1f GPU-hours)", gpuHours) : "";
        return Counted.say("Left out: %,d jobs %s%s.", jobs, reason, hours);
    }
}
