package org.trainyard.agents.learned.bids;

/**
 * Adds multiples of arrays to an array, in loops of which the compiler makes vector instructions: arrays of their own
 * that are all read from their beginning. Terms are added in their order, so that vectors change no digit.
 */
public final class ArraySums {
    private static final int AT_ONCE = 8;

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
            addEight(sum, size, arrays, first + i, factors, at + i * stride, stride);
        }
        for (; i < count; i++) {
            add(sum, size, arrays[first + i], factors[at + i * stride]);
        }
    }

    private static void addEight(
            float[] sum, int size, float[][] arrays, int first, float[] factors, int at, int stride) {
        float[] a0 = arrays[first];
        float[] a1 = arrays[first + 1];
        float[] a2 = arrays[first + 2];
        float[] a3 = arrays[first + 3];
        float[] a4 = arrays[first + 4];
        float[] a5 = arrays[first + 5];
        float[] a6 = arrays[first + 6];
        float[] a7 = arrays[first + 7];
        float f0 = factors[at];
        float f1 = factors[at + stride];
        float f2 = factors[at + 2 * stride];
        float f3 = factors[at + 3 * stride];
        float f4 = factors[at + 4 * stride];
        float f5 = factors[at + 5 * stride];
        float f6 = factors[at + 6 * stride];
        float f7 = factors[at + 7 * stride];
        for (int j = 0; j < size; j++) {
            sum[j] = sum[j]
                    + f0 * a0[j]
                    + f1 * a1[j]
                    + f2 * a2[j]
                    + f3 * a3[j]
                    + f4 * a4[j]
                    + f5 * a5[j]
                    + f6 * a6[j]
                    + f7 * a7[j];
        }
    }

    /** Adds to the first numbers of an array those of another, times a factor. */
    public static void add(float[] sum, int size, float[] array, float factor) {
        for (int j = 0; j < size; j++) {
            sum[j] += factor * array[j];
        }
    }
}
