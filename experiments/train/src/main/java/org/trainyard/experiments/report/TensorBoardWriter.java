package org.trainyard.experiments.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.trainyard.env.FailedWriteException;

/**
 * Writes scalars over updates to TensorBoard event files: TFRecords of {@code tensorflow.Event} messages.
 *
 * <p>Each writer creates its own file in the folder; TensorBoard reads all of them as one run. A resumed run records
 * the update from which on older files are void. Not thread-safe.
 */
public final class TensorBoardWriter implements AutoCloseable {
    private static final AtomicLong COUNTER = new AtomicLong();
    private static final int SESSION_START = 1;
    private static final long FRESH = -1;

    private final FileChannel channel;
    private final Path file;
    private final Clock clock;

    private TensorBoardWriter(Path folder, long resumedAt, Clock clock) {
        this.clock = clock;
        try {
            Files.createDirectories(folder);
            file = folder.resolve("events.out.tfevents.%d.%s.%d.%d"
                    .formatted(
                            clock.instant().getEpochSecond(),
                            host(),
                            ProcessHandle.current().pid(),
                            COUNTER.getAndIncrement()));
            channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new FailedWriteException(folder, e);
        }
        try {
            begin(resumedAt);
        } catch (FailedWriteException e) {
            close();
            throw e;
        }
    }

    private void begin(long resumedAt) {
        Message version = event(0);
        version.bytes(3, "brain.Event:2".getBytes(StandardCharsets.UTF_8));
        append(version);
        if (resumedAt != FRESH) {
            Message restart = event(resumedAt);
            restart.bytes(7, new Message().varint(1, SESSION_START).toBytes());
            append(restart);
        }
    }

    /** Starts curves at the first update. */
    public static TensorBoardWriter start(Path folder) {
        return new TensorBoardWriter(folder, FRESH, Clock.systemUTC());
    }

    /** Continues curves: TensorBoard drops points of older files at update {@code next} and later. */
    public static TensorBoardWriter resume(Path folder, long next) {
        return new TensorBoardWriter(folder, next, Clock.systemUTC());
    }

    /** Writes and flushes the values of one update, all or none. */
    public void update(long update, Map<String, Double> scalars) {
        Message summary = new Message();
        scalars.forEach((tag, value) -> {
            Message plugin = new Message().bytes(1, "scalars".getBytes(StandardCharsets.UTF_8));
            Message scalar = new Message().bytes(1, tag.getBytes(StandardCharsets.UTF_8));
            scalar.fixed32(2, Float.floatToIntBits(value.floatValue()));
            scalar.bytes(9, new Message().bytes(1, plugin.toBytes()).toBytes());
            summary.bytes(1, scalar.toBytes());
        });
        Message event = event(update);
        event.bytes(5, summary.toBytes());
        append(event);
    }

    /** The file written. */
    public Path file() {
        return file;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        }
    }

    private Message event(long step) {
        double wallSeconds = clock.millis() / 1e3;
        return new Message().fixed64(1, Double.doubleToLongBits(wallSeconds)).varint(2, step);
    }

    /**
     * A TFRecord: length, its checksum, message, its checksum. It is one write, so that readers rarely see a part of
     * it.
     */
    private void append(Message message) {
        byte[] data = message.toBytes();
        ByteBuffer record = ByteBuffer.allocate(data.length + 16).order(ByteOrder.LITTLE_ENDIAN);
        record.putLong(data.length);
        record.putInt(maskedCrc(record.array(), 0, 8));
        record.put(data);
        record.putInt(maskedCrc(data, 0, data.length));
        record.flip();
        try {
            while (record.hasRemaining()) {
                channel.write(record);
            }
        } catch (IOException e) {
            throw new FailedWriteException(file, e);
        }
    }

    /** The masked CRC-32C of TFRecord, rotated and offset because a checksum of checksums is weak. */
    static int maskedCrc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // The host name is not needed to tell files apart: process and counter do that.
            return "localhost";
        }
    }

    /** The field types of protocol buffers that events need. */
    private static final class Message {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message varint(int field, long value) {
            raw((long) field << 3);
            raw(value);
            return this;
        }

        Message fixed64(int field, long bits) {
            raw((long) field << 3 | 1);
            little(bits, 8);
            return this;
        }

        Message fixed32(int field, int bits) {
            raw((long) field << 3 | 5);
            little(bits, 4);
            return this;
        }

        Message bytes(int field, byte[] value) {
            raw((long) field << 3 | 2);
            raw(value.length);
            out.writeBytes(value);
            return this;
        }

        private void raw(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                out.write((int) (rest & 0x7f) | 0x80);
                rest >>>= 7;
            }
            out.write((int) rest);
        }

        private void little(long bits, int bytes) {
            for (int i = 0; i < bytes; i++) {
                out.write((int) (bits >>> (8 * i)));
            }
        }

        byte[] toBytes() {
            return out.toByteArray();
        }
    }
}
