package org.trainyard.env.simulation;

import org.jspecify.annotations.Nullable;

/** The values of one job in {@link Rates}, as of its last change of rate. */
final class JobProgress implements Cloneable {
    /** Work done rather than remaining work: the rounding of a difference would reveal the true work. */
    double doneIterations;

    double alone;
    double slowdown = 1;
    double slowdownSeconds;
    double savedIterations;
    double interferenceSeconds;
    long settledNanos;
    long overheadNanos;
    long runNanos;
    long productiveNanos;
    long savedProductiveNanos;
    long lostNanos;
    boolean scheduled;
    /** Where slowdowns are local to a server, that on each server of a job on several. */
    double @Nullable [] slowdownOn;
    /** Whether the job is listed to be rated anew. */
    boolean isTouched;
    /** The last round in which the job was rated. */
    int ratedIn;

    /** Returns a copy that changes apart from this one. */
    JobProgress copy() {
        try {
            JobProgress copy = (JobProgress) clone();
            copy.slowdownOn = slowdownOn == null ? null : slowdownOn.clone();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }
}
