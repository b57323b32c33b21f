package org.trainyard.experiments.service.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;

/**
 * The write-ahead file of one cluster: its registration, and all events and questions in their order, from which its state is made again.
 *
 * <p>A line is the CRC-32C of the rest in eight hexadecimal digits, a blank, and JSON. A last line that is incomplete or damaged is what a
 * killed process leaves; it is dropped, for nobody was told that it was accepted. Any other damaged line is refused.
 */
final class ClusterJournal implements Closeable {
    static final String SUFFIX = ".journal";
    private static final int CHECKSUM = 8;

    private final FileChannel channel;
    private final List<JsonNode> entries;
    private final boolean hasDropped;

    private ClusterJournal(FileChannel channel, List<JsonNode> entries, boolean hasDropped) {
        this.channel = channel;
        this.entries = entries;
        this.hasDropped = hasDropped;
    }

    /** Opens the file of that name, or makes it. */
    static ClusterJournal open(Path file) {
        try {
            byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
            List<JsonNode> entries = new ArrayList<>();
            int sound = read(file, bytes, entries);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel.truncate(sound);
            channel.position(sound);
            return new ClusterJournal(channel, entries, sound < bytes.length);
        } catch (IOException e) {
            throw new InputException(
                    "%s: cannot be opened (%s): expected a file of this service".formatted(file, e.getMessage()));
        }
    }

    /** Reads all lines; returns where the last sound one ends. */
    private static int read(Path file, byte[] bytes, List<JsonNode> entries) {
        int from = 0;
        while (from < bytes.length) {
            int end = from;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            boolean isLast = end >= bytes.length - 1;
            if (end == bytes.length || !isSound(bytes, from, end)) {
                if (isLast) {
                    return from;
                }
                throw InputException.at(
                        "%s:%d".formatted(file, entries.size() + 1),
                        "a damaged line",
                        "a line as it was written, checksum and all");
            }
            entries.add(JsonFields.parse(
                    new String(bytes, from + CHECKSUM + 1, end - from - CHECKSUM - 1, StandardCharsets.UTF_8)));
            from = end + 1;
        }
        return from;
    }

    private static boolean isSound(byte[] bytes, int from, int end) {
        if (end - from <= CHECKSUM + 1) {
            return false;
        }
        String checksum = new String(bytes, from, CHECKSUM, StandardCharsets.US_ASCII);
        return checksum.equals(checksum(bytes, from + CHECKSUM + 1, end));
    }

    private static String checksum(byte[] bytes, int from, int end) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, end - from);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** The lines that the file had when it was opened. */
    List<JsonNode> entries() {
        return entries;
    }

    /** Whether the file ended with a line that had to be dropped. */
    boolean hasDropped() {
        return hasDropped;
    }

    /**
     * Appends a line.
     *
     * @param isForced whether it must be on the disk when this returns, rather than with the system
     */
    void append(Object entry, boolean isForced) {
        byte[] json = JsonText.compact(JsonText.tree(entry)).getBytes(StandardCharsets.UTF_8);
        ByteBuffer line = ByteBuffer.allocate(CHECKSUM + 2 + json.length);
        line.put(checksum(json, 0, json.length).getBytes(StandardCharsets.US_ASCII))
                .put((byte) ' ')
                .put(json)
                .put((byte) '\n')
                .flip();
        try {
            while (line.hasRemaining()) {
                channel.write(line);
            }
            if (isForced) {
                channel.force(false);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the write-ahead file cannot be written", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.force(true);
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
