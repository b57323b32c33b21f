package org.trainyard.interference.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Statistics of the finished runs of one user, one group, one demand or all; natural logarithms of seconds. */
public final class RunStatistics {
    /** Number of finished jobs that the wider estimate counts as; chosen by us. */
    private static final double WEIGHT = 2;

    /** Null where it is not kept. */
    private final @Nullable RunningMedian median;

    private int count;
    private double logSum;
    private double lastLog;

    /** @param keepsMedian whether the median is kept, which takes memory for every run */
    RunStatistics(boolean keepsMedian) {
        median = keepsMedian ? new RunningMedian() : null;
    }

    void add(double logSeconds) {
        count++;
        logSum += logSeconds;
        lastLog = logSeconds;
        if (median != null) {
            median.add(logSeconds);
        }
    }

    public int count() {
        return count;
    }

    /** Needs at least one run, as the two below. */
    public double meanLog() {
        return logSum / count;
    }

    public double medianLog() {
        return median().median();
    }

    private RunningMedian median() {
        if (median == null) {
            throw new IllegalStateException("the median of these (%d) runs is not kept".formatted(count));
        }
        return median;
    }

    public double lastLog() {
        return lastLog;
    }

    /** The mean, shrunk towards the estimate of a wider set of jobs. */
    double estimate(double leaningOn) {
        return (WEIGHT * leaningOn + logSum) / (WEIGHT + count);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(count);
        out.writeDouble(logSum);
        out.writeDouble(lastLog);
        for (double value : median().sorted()) {
            out.writeDouble(value);
        }
    }

    static RunStatistics read(DataInputStream in) throws IOException {
        RunStatistics statistics = new RunStatistics(true);
        statistics.count = in.readInt();
        statistics.logSum = in.readDouble();
        statistics.lastLog = in.readDouble();
        for (int i = 0; i < statistics.count; i++) {
            statistics.median().add(in.readDouble());
        }
        return statistics;
    }

    /** The median of the numbers seen so far. O(log n) per number. */
    static final class RunningMedian {
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
}
