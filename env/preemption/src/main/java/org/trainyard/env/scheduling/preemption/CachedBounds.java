package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Arrays;

/**
 * Lower bounds on the costs of clearing servers of a range for pending jobs, cached until the jobs of a server change.
 * They are those for a pending job with a little less time left, for which no victim costs more: so pending jobs of
 * about as much time share them. To find them costs O(servers), and a bound for each server that has changed since the
 * last time.
 */
final class CachedBounds {
    /** Number of bounds for each doubling of a pending job's time. */
    private static final int STEPS = 16;
    /** Times beyond these steps count as these. */
    private static final int MOST_STEPS = 16_000;

    /** Number of bounds that are kept at most, about; or those of one pending job. */
    private static final int MOST_KEPT = 1 << 20;
    /** The memory of a map's entry, in numbers. */
    private static final int ENTRY = 16;

    private final int servers;
    private final Long2ObjectOpenHashMap<Kept> kept = new Long2ObjectOpenHashMap<>();
    /** By server, its changes. */
    private final long[] changes;

    /** A lower bound for a server. */
    interface Bound {
        /** A cost that no victims on the server are below, for this pending job and all with more time left. */
        double of(int server, int workers, double beneficiarySeconds);
    }

    /**
     * The bounds of pending jobs of equal workers and about as much time, by server, and the changes that they have
     * seen.
     */
    private static final class Kept {
        private final double[] bounds;
        private final long[] seen;

        private Kept(int servers) {
            bounds = new double[servers];
            seen = new long[servers];
        }
    }

    CachedBounds(int servers) {
        this.servers = servers;
        changes = new long[servers];
        Arrays.fill(changes, 1);
    }

    /** Says that the jobs or the free GPUs of a server have changed. */
    void change(int server) {
        changes[server]++;
    }

    /**
     * Finds the bounds of some servers.
     *
     * @param largestFree free GPUs on the server with most of them, on which the bounds may depend
     */
    void find(
            int workers, int largestFree, double beneficiarySeconds, int first, int end, Bound bound, double[] bounds) {
        int step =
                (int) Math.max(-MOST_STEPS, Math.min(MOST_STEPS, STEPS * Math.log(beneficiarySeconds) / Math.log(2)));
        while (step > -MOST_STEPS && secondsOf(step) > beneficiarySeconds) {
            step--;
        }
        double seconds = secondsOf(step);
        long key = (long) workers << Integer.SIZE | largestFree << Short.SIZE | (step & 0xffff);
        Kept known = kept.get(key);
        if (known == null) {
            if ((kept.size() + 1L) * (servers + ENTRY) > MOST_KEPT) {
                kept.clear();
            }
            known = new Kept(servers);
            kept.put(key, known);
        }
        for (int server = first; server < end; server++) {
            if (known.seen[server] != changes[server]) {
                known.seen[server] = changes[server];
                known.bounds[server] = bound.of(server, workers, seconds);
            }
        }
        System.arraycopy(known.bounds, first, bounds, first, end - first);
    }

    private static double secondsOf(int step) {
        return step == -MOST_STEPS ? 0 : Math.pow(2, (double) step / STEPS);
    }
}
