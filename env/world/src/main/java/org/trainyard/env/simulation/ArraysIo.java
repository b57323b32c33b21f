package org.trainyard.env.simulation;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Writes leading elements of arrays to snapshots and reads them back. */
final class ArraysIo {
    private ArraysIo() {}

    static void write(DataOutput out, int count, int[]... arrays) throws IOException {
        for (int[] array : arrays) {
            for (int i = 0; i < count; i++) {
                out.writeInt(array[i]);
            }
        }
    }

    static void read(DataInput in, int count, int[]... arrays) throws IOException {
        for (int[] array : arrays) {
            for (int i = 0; i < count; i++) {
                array[i] = in.readInt();
            }
        }
    }

    static void write(DataOutput out, int count, long[]... arrays) throws IOException {
        for (long[] array : arrays) {
            for (int i = 0; i < count; i++) {
                out.writeLong(array[i]);
            }
        }
    }

    static void read(DataInput in, int count, long[]... arrays) throws IOException {
        for (long[] array : arrays) {
            for (int i = 0; i < count; i++) {
                array[i] = in.readLong();
            }
        }
    }

    static void write(DataOutput out, int count, double[]... arrays) throws IOException {
        for (double[] array : arrays) {
            for (int i = 0; i < count; i++) {
                out.writeDouble(array[i]);
            }
        }
    }

    static void read(DataInput in, int count, double[]... arrays) throws IOException {
        for (double[] array : arrays) {
            for (int i = 0; i < count; i++) {
                array[i] = in.readDouble();
            }
        }
    }

    static void write(DataOutput out, int count, byte[] array) throws IOException {
        out.write(array, 0, count);
    }

    static void read(DataInput in, int count, byte[] array) throws IOException {
        in.readFully(array, 0, count);
    }
}
