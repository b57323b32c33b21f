package org.trainyard.interference.runtime;

import java.util.Collections;
import java.util.PriorityQueue;

/** The median of the numbers seen so far. O(log n) per number. */
final class RunningMedian {
    private final PriorityQueue<Double> lower = new PriorityQueue<>(Collections.reverseOrder());
    private final PriorityQueue<Double> upper = new PriorityQueue<>();

    void add(double value) {
        if (lower.isEmpty() || value <= lower.peek()) {
            lower.add(value);
        } else {
            upper.add(value);
        }
        if (lower.size() > upper.size() + 1) {
            upper.add(lower.remove());
        } else if (upper.size() > lower.size()) {
            lower.add(upper.remove());
        }
    }

    /** The middle number, or the mean of the two in the middle. There must be one. */
    double median() {
        double low = lower.element();
        return lower.size() > upper.size() ? low : (low + upper.element()) / 2;
    }

    /** All numbers, ascending: put into a fresh median, they give this one. */
    double[] sorted() {
        return java.util.stream.DoubleStream.concat(
                        lower.stream().mapToDouble(Double::doubleValue),
                        upper.stream().mapToDouble(Double::doubleValue))
                .sorted()
                .toArray();
    }
}
