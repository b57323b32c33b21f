package org.trainyard.env.simulation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
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

    /** The same values, which may change apart from these. */
    JobProgress copy() {
        try {
            JobProgress copy = (JobProgress) clone();
            copy.slowdownOn = slowdownOn == null ? null : slowdownOn.clone();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    void save(DataOutput out) throws IOException {
        out.writeDouble(doneIterations);
        out.writeDouble(alone);
        out.writeDouble(slowdown);
        out.writeDouble(slowdownSeconds);
        out.writeDouble(savedIterations);
        out.writeDouble(interferenceSeconds);
        out.writeLong(settledNanos);
        out.writeLong(overheadNanos);
        out.writeLong(runNanos);
        out.writeLong(productiveNanos);
        out.writeLong(savedProductiveNanos);
        out.writeLong(lostNanos);
        out.writeBoolean(scheduled);
        out.writeInt(slowdownOn == null ? -1 : slowdownOn.length);
        if (slowdownOn != null) {
            ArraysIo.write(out, slowdownOn.length, slowdownOn);
        }
    }

    void load(DataInput in) throws IOException {
        doneIterations = in.readDouble();
        alone = in.readDouble();
        slowdown = in.readDouble();
        slowdownSeconds = in.readDouble();
        savedIterations = in.readDouble();
        interferenceSeconds = in.readDouble();
        settledNanos = in.readLong();
        overheadNanos = in.readLong();
        runNanos = in.readLong();
        productiveNanos = in.readLong();
        savedProductiveNanos = in.readLong();
        lostNanos = in.readLong();
        scheduled = in.readBoolean();
        int servers = in.readInt();
        slowdownOn = servers < 0 ? null : new double[servers];
        if (slowdownOn != null) {
            ArraysIo.read(in, servers, slowdownOn);
        }
    }
}
