package org.trainyard.agents.heuristic.rounds;

import it.unimi.dsi.fastutil.doubles.DoubleComparators;
import it.unimi.dsi.fastutil.doubles.DoubleHeapPriorityQueue;

/** The earliest of some times, up to a number, in seconds. */
final class EarliestTimes {
    private final int most;
    private final DoubleHeapPriorityQueue latestFirst =
            new DoubleHeapPriorityQueue(DoubleComparators.OPPOSITE_COMPARATOR);

    EarliestTimes(int most) {
        this.most = most;
    }

    /** Whether the time would be among them. */
    boolean takes(double seconds) {
        return latestFirst.size() < most || (most > 0 && seconds < latestFirst.firstDouble());
    }

    /** Adds a time so often, as far as it is among them. O(count log(most)). */
    void offer(double seconds, int count) {
        for (int i = 0; i < count && takes(seconds); i++) {
            if (latestFirst.size() == most) {
                latestFirst.dequeueDouble();
            }
            latestFirst.enqueue(seconds);
        }
    }

    /** Takes them out: so many zeros, and after these the times, ascending. O(most log(most)). */
    double[] after(int zeros) {
        double[] times = new double[zeros + latestFirst.size()];
        for (int i = times.length - 1; i >= zeros; i--) {
            times[i] = latestFirst.dequeueDouble();
        }
        return times;
    }
}
