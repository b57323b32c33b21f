package org.trainyard.experiments.gym;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/**
 * An array of an answer: its description in the handshake and the writer of its elements, side by side so that they
 * agree.
 *
 * @param first the first dimension, over all environments of the answer
 * @param rest sizes of the further dimensions
 * @param writer appends the elements of one environment
 */
record GymArray(String name, ElementType type, Dimension first, List<Integer> rest, Writer writer) {
    /** Every array begins at a multiple of so many bytes, counted from the beginning of the payload. */
    static final int ALIGNMENT = 8;

    /** Appends the elements of one environment. */
    @FunctionalInterface
    interface Writer {
        void write(VectorEnvWorker slot, ByteBuffer out);
    }

    /** Elements, little-endian. */
    enum ElementType {
        FLOAT64(8),
        INT64(8),
        FLOAT32(4),
        INT32(4),
        UINT8(1);

        private final int bytes;

        ElementType(int bytes) {
            this.bytes = bytes;
        }

        String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Dimensions whose size an answer tells. */
    enum Dimension {
        /** The environments of the answer. */
        BATCH,
        /** The bids of all of them. */
        BIDS,
        /** The servers of all these bids. */
        PAIRS,
        /** The jobs that have ended. */
        ENDED;

        /** How many dimensions there are. */
        static final int COUNT = values().length;

        @SuppressWarnings("EnumOrdinal")
        int index() {
            return ordinal();
        }
    }

    /** An array of one element per environment. */
    static GymArray one(String name, ElementType type, Writer writer) {
        return new GymArray(name, type, Dimension.BATCH, List.of(), writer);
    }

    /** Bytes of the array when its first dimension has this size. */
    long bytes(int size) {
        long elements = size;
        for (int further : rest) {
            elements *= further;
        }
        return elements * type.bytes;
    }

    ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", name).put("dtype", type.title());
        ArrayNode shape = node.putArray("shape").add(first.name().toLowerCase(Locale.ROOT));
        rest.forEach(shape::add);
        return node;
    }

    /** Appends floats; {@link ByteBuffer} has no such method for arrays. */
    static void put(ByteBuffer out, float[] values, int from, int count) {
        out.asFloatBuffer().put(values, from, count);
        out.position(out.position() + Float.BYTES * count);
    }
}
