package org.trainyard.env.workload.trace.audit;

import java.util.Arrays;

/**
 * When jobs were submitted, in constant memory: ties, bursts and the longest gap. In a log of more than a million jobs
 * the order of its rows is taken for that of time.
 */
final class Submissions {
    private static final int MOST_KEPT = 1 << 20;
    private static final int BURST = 10;

    private long[] times = new long[64];
    private long all;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /** Findings of one pass over the times in order. */
    private static final class Passage {
        private long before = Long.MIN_VALUE;
        private long atOnce;
        private long ties;
        private long bursts;
        private long mostAtOnce;
        private long longestGap;

        void pass(long time) {
            if (time == before) {
                ties++;
                atOnce++;
            } else {
                longestGap = before == Long.MIN_VALUE ? 0 : Math.max(longestGap, time - before);
                atOnce = 1;
            }
            bursts += atOnce == BURST ? 1 : 0;
            mostAtOnce = Math.max(mostAtOnce, atOnce);
            before = time;
        }
    }

    private Passage passage = new Passage();

    void add(long nanos) {
        if (all < MOST_KEPT) {
            if (all == times.length) {
                times = Arrays.copyOf(times, 2 * times.length);
            }
            times[(int) all] = nanos;
        } else {
            if (all == MOST_KEPT) {
                passage = sorted();
                times = new long[0];
            }
            passage.pass(nanos);
        }
        all++;
        first = Math.min(first, nanos);
        last = Math.max(last, nanos);
    }

    private Passage sorted() {
        Passage found = new Passage();
        Arrays.sort(times, 0, (int) all);
        for (int i = 0; i < all; i++) {
            found.pass(times[i]);
        }
        return found;
    }

    /** Works out what {@link #ties} and the others say; after the last submission. */
    void finish() {
        if (all <= MOST_KEPT) {
            passage = sorted();
        }
    }

    long spanNanos() {
        return all == 0 ? 0 : last - first;
    }

    /** Jobs submitted at the instant of another before them. */
    long ties() {
        return passage.ties;
    }

    /** Instants at which ten jobs or more were submitted. */
    long bursts() {
        return passage.bursts;
    }

    long mostAtOnce() {
        return passage.mostAtOnce;
    }

    long longestGapNanos() {
        return passage.longestGap;
    }
}
