package org.trainyard.experiments.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads event files as strictly as TensorBoard does: every checksum must hold. */
final class EventFile {
    /**
     * One event.
     *
     * @param version the file version, on the first
     * @param restart whether older files end here
     * @param scalars by tag
     */
    record Event(
            double wallSeconds, long step, @Nullable String version, boolean restart, Map<String, Float> scalars) {}

    private EventFile() {}

    static List<Event> read(Path file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<Event> events = new ArrayList<>();
        while (in.hasRemaining()) {
            byte[] length = new byte[8];
            in.get(length);
            check(length, in.getInt());
            byte[] data = new byte
                    [(int) ByteBuffer.wrap(length)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong()];
            in.get(data);
            check(data, in.getInt());
            events.add(event(data));
        }
        return events;
    }

    private static void check(byte[] data, int masked) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(data);
        int rotated = masked - 0xa282ead8;
        if ((rotated >>> 17 | rotated << 15) != (int) crc.getValue()) {
            throw new IOException("checksum does not hold");
        }
    }

    private static Event event(byte[] data) {
        double wall = 0;
        long step = 0;
        String version = null;
        boolean restart = false;
        Map<String, Float> scalars = new TreeMap<>();
        for (Field field : fields(data)) {
            switch (field.number) {
                case 1 -> wall = Double.longBitsToDouble(field.value);
                case 2 -> step = field.value;
                case 3 -> version = new String(field.bytes, StandardCharsets.UTF_8);
                case 5 -> fields(field.bytes).forEach(value -> scalar(value.bytes, scalars));
                case 7 -> restart = fields(field.bytes).get(0).value == 1;
                default -> throw new IllegalStateException("field " + field.number);
            }
        }
        return new Event(wall, step, version, restart, scalars);
    }

    private static void scalar(byte[] data, Map<String, Float> scalars) {
        String tag = "";
        for (Field field : fields(data)) {
            if (field.number == 1) {
                tag = new String(field.bytes, StandardCharsets.UTF_8);
            } else if (field.number == 2) {
                scalars.put(tag, Float.intBitsToFloat((int) field.value));
            }
        }
    }

    private static final class Field {
        private final int number;
        private final long value;
        private final byte[] bytes;

        Field(int number, long value, byte[] bytes) {
            this.number = number;
            this.value = value;
            this.bytes = bytes;
        }
    }

    private static List<Field> fields(byte[] data) {
        ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        List<Field> fields = new ArrayList<>();
        while (in.hasRemaining()) {
            long key = varint(in);
            byte[] bytes = new byte[0];
            long value = 0;
            switch ((int) key & 7) {
                case 0 -> value = varint(in);
                case 1 -> value = in.getLong();
                case 2 -> {
                    bytes = new byte[(int) varint(in)];
                    in.get(bytes);
                }
                case 5 -> value = in.getInt();
                default -> throw new IllegalStateException("wire type of key " + key);
            }
            fields.add(new Field((int) (key >>> 3), value, bytes));
        }
        return fields;
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
