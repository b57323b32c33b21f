package org.trainyard.env.simulation;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Digests;
import org.trainyard.env.topology.Placement;

/**
 * The hash over all events of a run. Events are also passed on to an {@link EventSink}, if there is one.
 *
 * <p>A record is time (8 bytes, nanoseconds), kind (1), job (4) and an argument (4, see {@link EventSink}), big-endian;
 * a START and a RESIZE are followed by their GPUs in increasing order (4 bytes each). Records fill blocks of at most 64
 * KiB, never broken inside a record's first 17 bytes or a GPU; the hash of a block is the SHA-256 of the hash of the
 * block before it (nothing, for the first) and its own bytes; the hash of the log is that of its last block. So a log
 * can be saved in a snapshot and continued.
 */
public final class EventLog {
    private static final int BLOCK_BYTES = 1 << 16;

    private final MessageDigest digest;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    private byte[] hash = new byte[0];
    private final @Nullable EventSink sink;
    private long count;

    /** A log of events that are read from a file, for {@link #replay}. */
    public static EventLog ofFile() {
        return new EventLog(null);
    }

    /**
     * Adds an event that was written to a file; the arguments are those of {@link EventSink}.
     *
     * @param gpus of a START or a RESIZE, in increasing order; else empty
     */
    public void replay(long timeNanos, EventKind kind, int job, int argument, int[] gpus) {
        record(timeNanos, kind, job, argument);
        for (int gpu : gpus) {
            reserve(4);
            block.putInt(gpu);
        }
    }

    EventLog(@Nullable EventSink sink) {
        this.sink = sink;
        digest = Digests.sha256();
    }

    void add(long timeNanos, EventKind kind, int job, int argument) {
        record(timeNanos, kind, job, argument);
        if (sink != null) {
            sink.event(timeNanos, kind, job, argument, null);
        }
    }

    /** A START or a RESIZE. */
    void add(long timeNanos, EventKind kind, int job, Placement placement) {
        record(timeNanos, kind, job, placement.gpuCount());
        for (int i = 0; i < placement.gpuCount(); i++) {
            reserve(4);
            block.putInt(placement.gpu(i));
        }
        if (sink != null) {
            sink.event(timeNanos, kind, job, placement.gpuCount(), placement);
        }
    }

    private void record(long timeNanos, EventKind kind, int job, int argument) {
        reserve(17);
        block.putLong(timeNanos).put(kind.code).putInt(job).putInt(argument);
        count++;
    }

    private void reserve(int bytes) {
        if (block.remaining() < bytes) {
            hash = hashOfBlock();
            block.clear();
        }
    }

    private byte[] hashOfBlock() {
        digest.update(hash);
        digest.update(block.array(), 0, block.position());
        return digest.digest();
    }

    /** Number of events so far. */
    public long count() {
        return count;
    }

    /** The hash of all events so far, in hexadecimal; more events may follow. */
    public String sha256() {
        return HexFormat.of().formatHex(hashOfBlock());
    }

    /** Goes on from where another log is. */
    void copy(EventLog other) {
        count = other.count;
        hash = other.hash;
        block.put(other.block.duplicate().flip());
    }
}
