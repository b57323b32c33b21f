package org.trainyard.env.simulation;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/**
 * The complete state of a simulation between two events or decisions, to be continued in this or another process.
 *
 * <p>Its file format, big-endian: the text {@code TRAINYARD-SNAPSHOT}, a version (4 bytes), the SHA-256 of the
 * simulated inputs (size of the topology, jobs, their work), the length of the state in bytes (8), the state, and
 * the SHA-256 of everything before.
 */
public final class Snapshot {
    private static final byte[] MAGIC = "TRAINYARD-SNAPSHOT".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 4;
    private static final int HASH_BYTES = 32;

    private final byte[] world;
    private final byte[] content;

    Snapshot(byte[] world, byte[] content) {
        this.world = world;
        this.content = content;
    }

    DataInputStream content() {
        return new DataInputStream(new ByteArrayInputStream(content));
    }

    /** Refuses a topology or workload other than those of the snapshot. */
    void checkIsOf(Topology topology, Workload workload) {
        if (!Arrays.equals(world, worldOf(topology, workload))) {
            throw new InputException(
                    "the snapshot is of another simulation: expected one of the same jobs (%d) on the same cluster (%s)"
                            .formatted(workload.size(), topology.name()));
        }
    }

    static byte[] worldOf(Topology topology, Workload workload) {
        MessageDigest sha = sha256();
        ByteBuffer row = ByteBuffer.allocate(32);
        row.putInt(topology.gpus())
                .putInt(topology.servers())
                .putInt(topology.racks())
                .putInt(workload.size());
        sha.update(row.array());
        for (int job = 0; job < workload.size(); job++) {
            JobSpec spec = workload.job(job);
            row.clear();
            row.putLong(spec.submitNanos())
                    .putInt(spec.demand().toString().hashCode())
                    .putInt(spec.gpus())
                    .putDouble(spec.idealIterationsPerSecond())
                    .putDouble(workload.trueIterations(job));
            sha.update(row.array());
            sha.update(spec.name().getBytes(StandardCharsets.UTF_8));
        }
        return sha.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Writes the snapshot; the stream stays open. */
    public void write(OutputStream out) throws IOException {
        byte[] bytes = ByteBuffer.allocate(MAGIC.length + 4 + HASH_BYTES + 8 + content.length)
                .put(MAGIC)
                .putInt(VERSION)
                .put(world)
                .putLong(content.length)
                .put(content)
                .array();
        out.write(bytes);
        out.write(sha256().digest(bytes));
    }

    /**
     * Reads a snapshot.
     *
     * @param name name of the snapshot in error messages
     * @throws InputException when the stream is damaged, of another version, or not a snapshot
     */
    public static Snapshot read(InputStream in, String name) throws IOException {
        DataInputStream data = new DataInputStream(in);
        MessageDigest sha = sha256();
        try {
            byte[] magic = take(data, MAGIC.length, sha);
            if (!Arrays.equals(magic, MAGIC)) {
                throw InputException.at(name, "something else", "a snapshot of a simulation");
            }
            int version = ByteBuffer.wrap(take(data, 4, sha)).getInt();
            if (version != VERSION) {
                throw InputException.at(name + ", version", version, Integer.toString(VERSION));
            }
            byte[] world = take(data, HASH_BYTES, sha);
            long length = ByteBuffer.wrap(take(data, 8, sha)).getLong();
            if (length < 0 || length > Integer.MAX_VALUE - 64) {
                throw damaged(name);
            }
            byte[] content = data.readNBytes((int) length);
            sha.update(content);
            if (content.length < length || !Arrays.equals(data.readNBytes(HASH_BYTES), sha.digest())) {
                throw damaged(name);
            }
            return new Snapshot(world, content);
        } catch (EOFException e) {
            throw damaged(name);
        }
    }

    private static byte[] take(DataInputStream in, int bytes, MessageDigest sha) throws IOException {
        byte[] taken = new byte[bytes];
        in.readFully(taken);
        sha.update(taken);
        return taken;
    }

    private static InputException damaged(String name) {
        return InputException.at(name, "a damaged file", "a snapshot as it was written, checksum and all");
    }
}
