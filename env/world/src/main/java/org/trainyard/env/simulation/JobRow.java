package org.trainyard.env.simulation;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** The values of one job in {@link State}, all but those of its rate. */
final class JobRow implements Cloneable {
    /** The job as it was submitted. */
    final JobSpec submitted;
    /** The job as decisions have left it. */
    JobSpec spec;

    JobState state = JobState.FUTURE;

    @Nullable Placement placement;

    long queuedSinceNanos;
    long firstStartNanos = -1;
    /** Time of the last start. */
    long startedNanos;
    /** Time from which the job was allowed to start. */
    long eligibleNanos;

    long endNanos;
    /** Whether the job was killed at its time limit. */
    boolean timedOut;

    int preemptions;
    int kills;
    int resizes;
    /** Servers and racks on which a finished job ran last. */
    int lastServers;

    int lastRacks;
    double predictedSeconds;

    JobRow(JobSpec spec) {
        this.spec = spec;
        submitted = spec;
    }

    /** Returns a copy that changes apart from this one. */
    JobRow copy() {
        try {
            return (JobRow) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }
}
