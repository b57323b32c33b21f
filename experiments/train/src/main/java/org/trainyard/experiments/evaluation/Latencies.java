package org.trainyard.experiments.evaluation;

import com.fasterxml.jackson.annotation.JsonValue;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.trainyard.experiments.metrics.Statistics;

/** Durations of repeated calls. */
public final class Latencies {
    private final long[] sorted;

    private Latencies(long[] sorted) {
        this.sorted = sorted;
    }

    /** @param nanos in any order; zero or more each */
    static Latencies of(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Latencies(sorted);
    }

    public void write(DataOutput out) throws IOException {
        out.writeInt(sorted.length);
        for (long nanos : sorted) {
            out.writeLong(nanos);
        }
    }

    public static Latencies read(DataInput in) throws IOException {
        long[] nanos = new long[in.readInt()];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = in.readLong();
        }
        return of(nanos);
    }

    Latencies plus(Latencies other) {
        return of(LongStream.concat(Arrays.stream(sorted), Arrays.stream(other.sorted))
                .toArray());
    }

    /** Number of durations. */
    public int count() {
        return sorted.length;
    }

    /** A percentile as {@link Statistics#percentile} defines it, microseconds; 0 without durations. */
    public double microseconds(double share) {
        return sorted.length == 0
                ? 0
                : Statistics.percentile(Arrays.stream(sorted).asDoubleStream().toArray(), share) / 1e3;
    }

    private record Figures(int count, double p50Microseconds, double p99Microseconds, double maxMicroseconds) {}

    @JsonValue
    private Figures figures() {
        return new Figures(count(), microseconds(0.5), microseconds(0.99), microseconds(1));
    }
}
