package org.trainyard.env.simulation;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.trainyard.env.Digests;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;

/**
 * The complete state of a simulation between two events or decisions, with the SHA-256 of the simulated inputs: size of
 * the topology, jobs, their work.
 */
public final class Snapshot {
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
        MessageDigest sha = Digests.sha256();
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
}
