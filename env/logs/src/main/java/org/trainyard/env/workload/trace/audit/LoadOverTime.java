package org.trainyard.env.workload.trace.audit;

import java.util.Arrays;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.TraceJob;

/**
 * GPUs held and jobs submitted over the time of a log, in at most 2,048 equal bins, whose width doubles when the log is
 * longer.
 */
public final class LoadOverTime {
    private static final int BINS = 2048;

    private final double[] gpuNanos = new double[BINS];
    private final long[] submissions = new long[BINS];
    private long widthNanos = 1_000_000_000L;
    private long origin = Long.MIN_VALUE;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /**
     * A job while its log has it on GPUs, of which parts count as parts. Left out is a job that was preempted: no log
     * says when between its start and its end it held them.
     *
     * @return whether the job counts
     */
    public boolean hold(TraceJob job) {
        LoggedRun past = job.past();
        boolean counts = past != null && past.endNanos() - past.startNanos() == job.durationNanos();
        if (past != null && counts) {
            add(
                    job.submitNanos(),
                    past.startNanos(),
                    past.endNanos(),
                    job.gpus() * job.demand().gpuMilli() / 1000.0);
        }
        return counts;
    }

    /** A job that was submitted at one time and held so many GPUs from another on. */
    void add(long submit, long start, long end, double gpus) {
        if (origin == Long.MIN_VALUE) {
            origin = submit;
        }
        first = Math.min(first, submit);
        last = Math.max(last, Math.max(submit, end));
        cover(submit);
        cover(end);
        submissions[bin(submit)]++;
        for (int bin = bin(start); bin <= bin(end); bin++) {
            long from = Math.max(start, origin + bin * widthNanos);
            long to = Math.min(end, origin + (bin + 1) * widthNanos);
            gpuNanos[bin] += gpus * Math.max(0, to - from);
        }
    }

    private int bin(long time) {
        return (int) Math.min(BINS - 1, Math.max(0, (time - origin) / widthNanos));
    }

    /** Widens the bins until they cover the time. */
    private void cover(long time) {
        while (time >= origin + BINS * widthNanos) {
            for (int i = 0; i < BINS / 2; i++) {
                gpuNanos[i] = gpuNanos[2 * i] + gpuNanos[2 * i + 1];
                submissions[i] = submissions[2 * i] + submissions[2 * i + 1];
            }
            Arrays.fill(gpuNanos, BINS / 2, BINS, 0);
            Arrays.fill(submissions, BINS / 2, BINS, 0);
            widthNanos *= 2;
        }
        while (time < origin) {
            // The bins become the right half of twice as many, of twice the width.
            double[] held = gpuNanos.clone();
            long[] jobs = submissions.clone();
            Arrays.fill(gpuNanos, 0, BINS / 2, 0);
            Arrays.fill(submissions, 0, BINS / 2, 0);
            for (int i = 0; i < BINS / 2; i++) {
                gpuNanos[BINS / 2 + i] = held[2 * i] + held[2 * i + 1];
                submissions[BINS / 2 + i] = jobs[2 * i] + jobs[2 * i + 1];
            }
            origin -= BINS * widthNanos;
            widthNanos *= 2;
        }
    }

    double spanSeconds() {
        return last < first ? 0 : (last - first) / 1e9;
    }

    /** Equal parts of the log, so many at most, of which each has bins of its own. */
    int parts(int most) {
        return last <= first ? 0 : (int) Math.max(1, Math.min(most, (last - first) / widthNanos));
    }

    /** GPUs held on average in each of so many equal parts of the log. */
    double[] gpus(int parts) {
        double[] held = new double[parts];
        for (int i = 0; i < BINS && last > first; i++) {
            if (gpuNanos[i] > 0) {
                held[part(i, parts)] += gpuNanos[i] * parts / (last - first);
            }
        }
        return held;
    }

    /** Jobs submitted in each of so many equal parts of the log. */
    long[] submissions(int parts) {
        long[] jobs = new long[parts];
        for (int i = 0; i < BINS && last > first; i++) {
            jobs[part(i, parts)] += submissions[i];
        }
        return jobs;
    }

    private int part(int bin, int parts) {
        double middle = origin + (bin + 0.5) * widthNanos - first;
        return (int) Math.max(0, Math.min(parts - 1, Math.floor(middle * parts / (last - first))));
    }

    /**
     * The most GPUs held at once, as a mean over a bin: never above the truth, and clocks of servers that differ by
     * seconds do not raise it.
     */
    public double mostGpus() {
        return Arrays.stream(gpuNanos).max().orElse(0) / widthNanos;
    }

    /** Whether more GPUs were held at once than these, beyond a thousandth. */
    public boolean exceeds(int gpus) {
        return mostGpus() > gpus * 1.001;
    }

    /** The part of the GPU time above so many GPUs, 0..1. */
    public double partAbove(int gpus) {
        double most = (double) gpus * widthNanos;
        double above =
                Arrays.stream(gpuNanos).map(held -> Math.max(0, held - most)).sum();
        return above == 0 ? 0 : above / Arrays.stream(gpuNanos).sum();
    }
}
