package org.trainyard.experiments.drive;

import java.util.Locale;

/** How much a driver may do, each level including those before it. */
public enum DriveLevel {
    /** Says which pending jobs may start now, and in which order; the manager places them. */
    PRIORITY,
    /** Says on which nodes, too. */
    PLACEMENT,
    /** Requeues running jobs, too. */
    PREEMPTION;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
