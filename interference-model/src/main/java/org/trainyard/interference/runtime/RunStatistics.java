package org.trainyard.interference.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** What the finished runs of one user, one group, or of all have in common; run times as natural logarithms of seconds. */
final class RunStatistics {
    /** How many finished jobs the next level's estimate counts for; chosen by us. */
    private static final double WEIGHT = 2;

    private final RunningMedian median = new RunningMedian();
    private int count;
    private double logSum;
    private double lastLog;

    void add(double logSeconds) {
        count++;
        logSum += logSeconds;
        lastLog = logSeconds;
        median.add(logSeconds);
    }

    int count() {
        return count;
    }

    /** There must be a run, as for the two below. */
    double meanLog() {
        return logSum / count;
    }

    double medianLog() {
        return median.median();
    }

    double lastLog() {
        return lastLog;
    }

    /** The mean, leaning on a wider circle's estimate as on two runs more. */
    double estimate(double leaningOn) {
        return (WEIGHT * leaningOn + logSum) / (WEIGHT + count);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(count);
        out.writeDouble(logSum);
        out.writeDouble(lastLog);
        for (double value : median.sorted()) {
            out.writeDouble(value);
        }
    }

    static RunStatistics read(DataInputStream in) throws IOException {
        RunStatistics statistics = new RunStatistics();
        statistics.count = in.readInt();
        statistics.logSum = in.readDouble();
        statistics.lastLog = in.readDouble();
        for (int i = 0; i < statistics.count; i++) {
            statistics.median.add(in.readDouble());
        }
        return statistics;
    }
}
