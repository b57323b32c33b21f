package org.trainyard.env.simulation;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;

/**
 * What happened, as one SHA-256 over all of it; an {@link EventSink} is told as it happens, when there is one.
 *
 * <p>A record is time (8 bytes, nanoseconds), kind (1), job (4) and an argument (4: the domain of a FORWARD, the number of GPUs of
 * a START, else 0), big-endian; a START is followed by its GPUs in increasing order (4 bytes each).
 */
public final class EventLog {
    private final MessageDigest digest;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private final @Nullable EventSink sink;
    private long count;

    EventLog(@Nullable EventSink sink) {
        this.sink = sink;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    void add(long timeNanos, EventKind kind, int job, int argument) {
        hash(timeNanos, kind, job, argument);
        if (sink != null) {
            sink.event(timeNanos, kind, job, argument, null);
        }
    }

    void addStart(long timeNanos, int job, Placement placement) {
        hash(timeNanos, EventKind.START, job, placement.gpuCount());
        for (int i = 0; i < placement.gpuCount(); i++) {
            reserve(4);
            buffer.putInt(placement.gpu(i));
        }
        if (sink != null) {
            sink.event(timeNanos, EventKind.START, job, placement.gpuCount(), placement);
        }
    }

    private void hash(long timeNanos, EventKind kind, int job, int argument) {
        reserve(17);
        buffer.putLong(timeNanos).put(kind.code).putInt(job).putInt(argument);
        count++;
    }

    private void reserve(int bytes) {
        if (buffer.remaining() < bytes) {
            flush();
        }
    }

    private void flush() {
        digest.update(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    /** Events so far. */
    public long count() {
        return count;
    }

    /** The hash of everything so far, in hexadecimal; the log goes on. */
    public String sha256() {
        flush();
        try {
            return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's SHA-256 cannot be cloned", e);
        }
    }
}
