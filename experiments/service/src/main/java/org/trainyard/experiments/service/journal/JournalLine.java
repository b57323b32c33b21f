package org.trainyard.experiments.service.journal;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.JsonText;

/** A line of a write-ahead file: the CRC-32C of the rest in eight hexadecimal digits, a blank, and JSON. */
final class JournalLine {
    private static final int CHECKSUM = 8;

    private JournalLine() {}

    /** The bytes of a line, with its end. */
    static ByteBuffer of(JsonNode entry) {
        byte[] json = JsonText.compact(entry).getBytes(StandardCharsets.UTF_8);
        ByteBuffer line = ByteBuffer.allocate(CHECKSUM + 2 + json.length);
        line.put(checksum(json, 0, json.length).getBytes(StandardCharsets.US_ASCII))
                .put((byte) ' ')
                .put(json)
                .put((byte) '\n')
                .flip();
        return line;
    }

    /** The entry of a line without its end, or null when it is damaged. */
    static @Nullable JsonNode read(byte[] line) {
        int from = CHECKSUM + 1;
        if (line.length <= from) {
            return null;
        }
        String checksum = new String(line, 0, CHECKSUM, StandardCharsets.US_ASCII);
        if (!checksum.equals(checksum(line, from, line.length - from))) {
            return null;
        }
        try {
            return JsonText.read(new String(line, from, line.length - from, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
