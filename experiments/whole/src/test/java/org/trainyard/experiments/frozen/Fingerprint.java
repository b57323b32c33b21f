package org.trainyard.experiments.frozen;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;

/** A short hash of many values, in the order in which they are added. */
public final class Fingerprint {
    private static final int SHOWN = 16;
    private final MessageDigest digest;
    private final ByteBuffer value = ByteBuffer.allocate(Long.BYTES);

    public Fingerprint() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    Fingerprint add(long number) {
        digest.update(value.putLong(0, number).array());
        return this;
    }

    /** Adds a number; 0 and -0 are the same. */
    Fingerprint add(double number) {
        return add(Double.doubleToLongBits(number + 0.0));
    }

    public Fingerprint add(String text) {
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return add(text.length());
    }

    /** Adds what became of every job. */
    Fingerprint add(RunResult run) {
        for (JobOutcome job : run.jobs()) {
            add(job.job().id()).add(job.firstStartNanos()).add(job.endNanos());
            add(job.onGpus().nanos()).add(job.onGpus().undisturbedNanos());
            add(job.onGpus().restartNanos()).add(job.onGpus().interferenceNanos());
            add(job.preemptions()).add(job.kills()).add(job.meanSlowdown());
            add(job.servers()).add(job.racks()).add(job.utility()).add(job.accuracyPenalty());
        }
        return add(run.busyGpuSeconds()).add(run.rejected().size()).add(run.decisions());
    }

    /** The hash of all that was added so far; nothing can be added afterwards. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(digest.digest()).substring(0, SHOWN);
    }
}
