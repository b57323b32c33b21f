package org.trainyard.env.gym.domain;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.function.IntPredicate;

/**
 * The different numbers of GPUs that jobs have demanded, so that a set of them is a set of bits. Traces have few;
 * those after the 63rd share a bit.
 */
public final class DemandSizes {
    private static final int SHARED = Long.SIZE - 1;

    private final IntArrayList sizes = new IntArrayList();

    /** Takes notice of a demand. O(sizes). */
    void add(int gpus) {
        if (!sizes.contains(gpus)) {
            sizes.add(gpus);
        }
    }

    /** The bit of a size that was demanded. O(sizes). */
    public long bit(int gpus) {
        return 1L << Math.min(SHARED, sizes.indexOf(gpus));
    }

    /** The bits of the sizes for which the predicate holds, and that of sizes that share one. O(sizes). */
    public long bitsOf(IntPredicate predicate) {
        long bits = 1L << SHARED;
        for (int i = 0; i < Math.min(SHARED, sizes.size()); i++) {
            if (predicate.test(sizes.getInt(i))) {
                bits |= 1L << i;
            }
        }
        return bits;
    }
}
