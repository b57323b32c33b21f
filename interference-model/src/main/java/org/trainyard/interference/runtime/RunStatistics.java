package org.trainyard.interference.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
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
}
