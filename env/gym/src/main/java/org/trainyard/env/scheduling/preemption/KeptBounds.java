package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Arrays;

/**
 * Lower bounds on the costs of clearing parts of a range of servers for pending jobs, kept until the jobs of a part
 * change. They are those for a pending job with a little less time left, for which no victim costs more: so pending
 * jobs of about as much time share them. To find them costs O(parts), and a bound for each part that has changed
 * since the last time.
 */
final class KeptBounds {
    /** So many bounds for each doubling of a pending job's time. */
    private static final int STEPS = 16;
    /** Times beyond these steps count as these. */
    private static final int MOST_STEPS = 16_000;

    /** At most so many numbers are kept, or those of one pending job. */
    private static final int MOST_KEPT = 1 << 21;

    private final int parts;
    private final Long2ObjectOpenHashMap<Kept> kept = new Long2ObjectOpenHashMap<>();
    /** By part, the number of changes after which it had changed last. */
    private final long[] changedAt;

    private long changes = 1;

    /** A lower bound for a part. */
    interface Bound {
        /** A cost that no victims in the part are below, for this pending job and all with more time left. */
        double of(int part, int gpus, double beneficiarySeconds);
    }

    /** The bounds of pending jobs of equal GPUs and about as much time. */
    private static final class Kept {
        private final double[] bounds;
        private long madeAt;

        private Kept(int parts) {
            bounds = new double[parts];
        }
    }

    KeptBounds(int parts) {
        this.parts = parts;
        changedAt = new long[parts];
        Arrays.fill(changedAt, changes);
    }

    /** Says that the jobs or the free GPUs of a part have changed. */
    void change(int part) {
        changedAt[part] = changes + 1;
    }

    /**
     * Finds the bounds by part.
     *
     * @param largestFree free GPUs on the server with most of them, on which the bounds may depend
     */
    void find(int gpus, int largestFree, double beneficiarySeconds, Bound bound, double[] bounds) {
        int step =
                (int) Math.max(-MOST_STEPS, Math.min(MOST_STEPS, STEPS * Math.log(beneficiarySeconds) / Math.log(2)));
        while (step > -MOST_STEPS && secondsOf(step) > beneficiarySeconds) {
            step--;
        }
        double seconds = secondsOf(step);
        long key = (long) gpus << Integer.SIZE | largestFree << Short.SIZE | (step & 0xffff);
        Kept known = kept.get(key);
        if (known == null) {
            if ((kept.size() + 1L) * parts > MOST_KEPT) {
                kept.clear();
            }
            known = new Kept(parts);
            kept.put(key, known);
        }
        changes++;
        for (int part = 0; part < parts; part++) {
            if (changedAt[part] > known.madeAt) {
                known.bounds[part] = bound.of(part, gpus, seconds);
            }
        }
        known.madeAt = changes;
        System.arraycopy(known.bounds, 0, bounds, 0, parts);
    }

    private static double secondsOf(int step) {
        return step == -MOST_STEPS ? 0 : Math.pow(2, (double) step / STEPS);
    }
}
