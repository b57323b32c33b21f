package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * Reads the file back by the format's specification: a reader of the compact protocol of its own, then footer,
 * pages and values.
 */
class ParquetTableTest {
    @Test
    void the_footer_names_the_columns_and_the_pages_hold_their_values() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ParquetTable(2)
                .add("name", "fifo", "größer")
                .add("count", 3, -4)
                .add("mean", 0.25, Double.NaN)
                .write(out);
        byte[] file = out.toByteArray();
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int footer = bytes.getInt(file.length - 8);

        assertThat(new String(file, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("PAR1");
        assertThat(new String(file, file.length - 4, 4, StandardCharsets.US_ASCII))
                .isEqualTo("PAR1");
        Map<Integer, Object> meta = new Compact(bytes, file.length - 8 - footer).struct();
        assertThat(meta.get(3)).as("rows").isEqualTo(2L);
        List<?> schema = (List<?>) get(meta, 2);
        assertThat(values(schema, 4)).containsExactly("schema", "name", "count", "mean");
        assertThat(values(schema, 1)).containsExactly("no type", 6L, 1L, 5L);
        Map<?, ?> group = (Map<?, ?>) ((List<?>) get(meta, 4)).get(0);
        List<?> chunks = (List<?>) get(group, 1);
        ByteBuffer names = page(file, chunks.get(0));
        assertThat(text(names)).isEqualTo("fifo");
        assertThat(text(names)).isEqualTo("größer");
        ByteBuffer counts = page(file, chunks.get(1));
        assertThat(List.of(counts.getInt(), counts.getInt())).containsExactly(3, -4);
        ByteBuffer means = page(file, chunks.get(2));
        assertThat(List.of(means.getDouble(), means.getDouble())).containsExactly(0.25, Double.NaN);
    }

    private static List<Object> values(List<?> structs, int field) {
        List<Object> values = new ArrayList<>();
        structs.forEach(one -> values.add(Objects.requireNonNullElse(((Map<?, ?>) one).get(field), "no type")));
        return values;
    }

    private static Object get(Map<?, ?> struct, int field) {
        return Objects.requireNonNull(struct.get(field));
    }

    private static String text(ByteBuffer page) {
        byte[] text = new byte[page.getInt()];
        page.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** The values of a column, whose chunk says where its page is and how large. */
    private static ByteBuffer page(byte[] file, Object chunk) throws IOException {
        Map<?, ?> meta = (Map<?, ?>) get((Map<?, ?>) chunk, 3);
        assertThat(meta.get(5)).as("values").isEqualTo(2L);
        int at = Math.toIntExact((Long) get(meta, 9));
        Compact reader = new Compact(ByteBuffer.wrap(file), at);
        Map<Integer, Object> header = reader.struct();
        int plain = Math.toIntExact((Long) get(header, 2));
        int packed = Math.toIntExact((Long) get(header, 3));
        assertThat(meta.get(7)).as("bytes").isEqualTo((long) (reader.at - at + packed));
        assertThat(meta.get(6)).as("bytes when unpacked").isEqualTo((long) (reader.at - at + plain));
        assertThat(((Map<?, ?>) get(header, 5)).get(1)).isEqualTo(2L);
        byte[] values = new GZIPInputStream(new ByteArrayInputStream(file, reader.at, packed)).readAllBytes();
        assertThat(values).hasSize(plain);
        return ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void a_column_of_another_length_is_refused() {
        assertThatThrownBy(() -> new ParquetTable(2).add("x", 1, 2, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(3)");
    }

    /**
     * Reads structures in Thrift's compact protocol: numbers as Long, binary as String, lists, and structures as maps.
     */
    private static final class Compact {
        private final ByteBuffer bytes;
        private int at;

        Compact(ByteBuffer bytes, int at) {
            this.bytes = bytes;
            this.at = at;
        }

        Map<Integer, Object> struct() {
            Map<Integer, Object> fields = new TreeMap<>();
            int field = 0;
            for (int header = next(); header != 0; header = next()) {
                field += header >> 4;
                assertThat(header >> 4).as("increase of the field's number").isPositive();
                fields.put(field, value(header & 15));
            }
            return fields;
        }

        private int next() {
            return bytes.get(at++) & 0xff;
        }

        private long varint() {
            long value = 0;
            int shift = 0;
            int part;
            do {
                part = next();
                value |= (long) (part & 0x7f) << shift;
                shift += 7;
            } while (part >= 0x80);
            return value;
        }

        private Object value(int type) {
            return switch (type) {
                case 5, 6 -> number();
                case 8 -> text();
                case 9 -> list();
                case 12 -> struct();
                default -> throw new AssertionError("type " + type);
            };
        }

        private Object number() {
            long zigzag = varint();
            return (zigzag >>> 1) ^ -(zigzag & 1);
        }

        private Object text() {
            byte[] text = new byte[(int) varint()];
            bytes.get(at, text);
            at += text.length;
            return new String(text, StandardCharsets.UTF_8);
        }

        private Object list() {
            int header = next();
            long size = header >> 4 == 15 ? varint() : header >> 4;
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                list.add(value(header & 15));
            }
            return list;
        }
    }
}
