package org.trainyard.gnn;

import java.util.Arrays;

/**
 * Adds multiples of arrays to an array, in loops of which the compiler makes vector instructions: arrays of their own
 * that are all read from their beginning. Terms are added in their order, so that vectors change no digit.
 */
public final class ArraySums {
    /** Of eight at once the compiler makes no vectors. */
    private static final int AT_ONCE = 4;

    private ArraySums() {}

    /**
     * Adds to the first numbers of an array those of some arrays, each times its factor.
     *
     * @param size how many numbers
     * @param first the first of the arrays
     * @param at where their factors begin
     * @param stride from a factor to the next
     */
    public static void add(
            float[] sum, int size, float[][] arrays, int first, int count, float[] factors, int at, int stride) {
        int i = 0;
        for (; i + AT_ONCE <= count; i += AT_ONCE) {
            int f = at + i * stride;
            addFour(
                    sum,
                    size,
                    arrays[first + i],
                    arrays[first + i + 1],
                    arrays[first + i + 2],
                    arrays[first + i + 3],
                    factors[f],
                    factors[f + stride],
                    factors[f + 2 * stride],
                    factors[f + 3 * stride]);
        }
        for (; i < count; i++) {
            add(sum, size, arrays[first + i], factors[at + i * stride]);
        }
    }

    /** Sets the first numbers of an array to one number, and {@link #add adds} to them. */
    public static void set(
            float[] sum, float start, int size, float[][] arrays, int count, float[] factors, int at, int stride) {
        if (count < AT_ONCE) {
            Arrays.fill(sum, 0, size, start);
            add(sum, size, arrays, 0, count, factors, at, stride);
            return;
        }
        setFour(
                sum,
                start,
                size,
                arrays[0],
                arrays[1],
                arrays[2],
                arrays[3],
                factors[at],
                factors[at + stride],
                factors[at + 2 * stride],
                factors[at + 3 * stride]);
        add(sum, size, arrays, AT_ONCE, count - AT_ONCE, factors, at + AT_ONCE * stride, stride);
    }

    private static void setFour(
            float[] sum,
            float start,
            int size,
            float[] a0,
            float[] a1,
            float[] a2,
            float[] a3,
            float f0,
            float f1,
            float f2,
            float f3) {
        for (int j = 0; j < size; j++) {
            sum[j] = start + f0 * a0[j] + f1 * a1[j] + f2 * a2[j] + f3 * a3[j];
        }
    }

    private static void addFour(
            float[] sum,
            int size,
            float[] a0,
            float[] a1,
            float[] a2,
            float[] a3,
            float f0,
            float f1,
            float f2,
            float f3) {
        for (int j = 0; j < size; j++) {
            sum[j] = sum[j] + f0 * a0[j] + f1 * a1[j] + f2 * a2[j] + f3 * a3[j];
        }
    }

    /** Adds to the first numbers of an array those of another, times a factor. */
    public static void add(float[] sum, int size, float[] array, float factor) {
        for (int j = 0; j < size; j++) {
            sum[j] += factor * array[j];
        }
    }
}
