package org.trainyard.experiments.service.journal;

import java.util.Arrays;

/** The beginnings of the hashes of the last events, by number: of earlier ones nothing is known. */
public final class RecentHashes {
    /** A stand-in for the hash of an event of which nothing is known. */
    public static final long UNKNOWN = 0;

    private final int most;
    private long[] hashes = new long[64];
    private int count;

    /** @param most that are kept, a power of two of at least 64 */
    public RecentHashes(int most) {
        if (most < hashes.length || Integer.bitCount(most) != 1) {
            throw new IllegalArgumentException("most (%d) must be a power of two of at least 64".formatted(most));
        }
        this.most = most;
    }

    /** Number of events, which is that of the last one. */
    public int count() {
        return count;
    }

    /** Adds that of the next event. */
    public void add(long hash) {
        if (count == hashes.length && count < most) {
            hashes = Arrays.copyOf(hashes, 2 * count);
        }
        hashes[count++ & (hashes.length - 1)] = hash;
    }

    /** The hash of an event by its number, 1 or more. */
    public long of(int number) {
        return number > count - hashes.length ? hashes[(number - 1) & (hashes.length - 1)] : UNKNOWN;
    }
}
