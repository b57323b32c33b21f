package org.trainyard.experiments.io;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes structures in Thrift's compact protocol, as far as Parquet's metadata needs them. Fields are written in
 * increasing order of their numbers.
 */
final class CompactThrift {
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Deque<Integer> outer = new ArrayDeque<>();
    private int last;

    CompactThrift i32(int field, int value) {
        header(field, I32);
        varint(zigzag(value));
        return this;
    }

    CompactThrift i64(int field, long value) {
        header(field, I64);
        varint(zigzag(value));
        return this;
    }

    CompactThrift text(int field, String value) {
        header(field, BINARY);
        bytes(value);
        return this;
    }

    /** A list of 32-bit numbers. */
    CompactThrift numbers(int field, int... values) {
        list(field, I32, values.length);
        for (int value : values) {
            varint(zigzag(value));
        }
        return this;
    }

    /** A list of one text. */
    CompactThrift texts(int field, String value) {
        list(field, BINARY, 1);
        bytes(value);
        return this;
    }

    /** A list of so many structures, each of which {@link #element} begins and {@link #end} ends. */
    CompactThrift structs(int field, int size) {
        list(field, STRUCT, size);
        return this;
    }

    CompactThrift element() {
        outer.push(last);
        last = 0;
        return this;
    }

    /** A structure as a field, up to {@link #end}. */
    CompactThrift struct(int field) {
        header(field, STRUCT);
        return element();
    }

    CompactThrift end() {
        out.write(0);
        last = outer.pop();
        return this;
    }

    /** All bytes, when the outermost structure ends. */
    byte[] bytes() {
        out.write(0);
        return out.toByteArray();
    }

    private void list(int field, int type, int size) {
        header(field, LIST);
        if (size < 15) {
            out.write(size << 4 | type);
        } else {
            out.write(0xf0 | type);
            varint(size);
        }
    }

    private void header(int field, int type) {
        out.write((field - last) << 4 | type);
        last = field;
    }

    private void bytes(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    private static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
