package org.trainyard.env.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** The hash of a log: that of blocks of at most 64 KiB, each after the hash of those before it. */
class EventLogTest {
    private static final Topology SMALL = Topologies.small();
    private static final Placement PAIR = Placement.of(SMALL, 2, 5);

    private final List<String> heard = new ArrayList<>();
    private final EventLog log = new EventLog((nanos, kind, job, argument, placement) -> heard.add(
            "%d %s %d %d %s".formatted(nanos, kind, job, argument, placement == null ? "" : placement.gpuCount())));

    private byte[] chain = new byte[0];
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();

    private void expect(byte[] part) throws NoSuchAlgorithmException {
        if (block.size() + part.length > 1 << 16) {
            chain = hash();
            block.reset();
        }
        block.writeBytes(part);
    }

    private byte[] hash() throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(chain);
        return digest.digest(block.toByteArray());
    }

    private static byte[] event(long nanos, EventKind kind, int job, int argument) {
        return ByteBuffer.allocate(17)
                .putLong(nanos)
                .put(kind.code)
                .putInt(job)
                .putInt(argument)
                .array();
    }

    private static byte[] gpu(int gpu) {
        return ByteBuffer.allocate(4).putInt(gpu).array();
    }

    @Test
    void it_counts_its_events_tells_a_listener_of_them_and_hashes_them() throws NoSuchAlgorithmException {
        log.add(7, EventKind.ARRIVE, 3, 2);
        log.add(9, EventKind.START, 3, PAIR);
        expect(event(7, EventKind.ARRIVE, 3, 2));
        expect(event(9, EventKind.START, 3, 2));
        expect(gpu(2));
        expect(gpu(5));

        assertThat(log.count()).isEqualTo(2);
        assertThat(heard).containsExactly("7 ARRIVE 3 2 ", "9 START 3 2 2");
        assertThat(log.sha256()).isEqualTo(HexFormat.of().formatHex(hash())).isEqualTo(log.sha256());
    }

    @Test
    void long_logs_are_hashed_block_by_block_and_a_copy_goes_on_alike() throws NoSuchAlgorithmException {
        EventLog read = EventLog.ofFile();
        for (int i = 0; i < 9000; i++) {
            log.add(i, EventKind.ARRIVE, i, 1);
            log.add(i, EventKind.START, i, PAIR);
            read.replay(i, EventKind.ARRIVE, i, 1, new int[0]);
            read.replay(i, EventKind.START, i, 2, new int[] {2, 5});
            expect(event(i, EventKind.ARRIVE, i, 1));
            expect(event(i, EventKind.START, i, 2));
            expect(gpu(2));
            expect(gpu(5));
        }
        EventLog copy = new EventLog(null);
        copy.copy(log);

        assertThat(List.of(log.sha256(), read.sha256(), copy.sha256()))
                .containsOnly(HexFormat.of().formatHex(hash()));
        assertThat(copy.count()).isEqualTo(18_000);
        log.add(1, EventKind.REJECT, 1, 0);
        copy.add(1, EventKind.REJECT, 1, 0);
        assertThat(copy.sha256()).isEqualTo(log.sha256()).isNotEqualTo(read.sha256());
    }
}
