package org.trainyard.agents.learned.bids;

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
