package org.trainyard.agents.heuristic.lease;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A box of a {@link BidTree}: a leaf with jobs in no order, or two parts. */
final class BidBox {
    /** Takes a job and the leaf in which it is. */
    interface LeafConsumer {
        void accept(int job, BidBox leaf);
    }

    /** A leaf is split when it has more jobs. */
    private static final int MOST_OF_LEAF = 32;
    /** A box has no parts when it has no more jobs. */
    private static final int FEW = 12;

    private static final BidBox[] NO_PARTS = {};

    private final @Nullable BidBox parent;
    private BidBox[] parts = NO_PARTS;
    /**
     * The second part has the jobs at or above the bound, in predicted run time or in the time at which they would have
     * been done.
     */
    private boolean splitsPredicted;

    private double splitAt;

    private int size;
    /** Jobs added since its parts were made. */
    private int added;

    private double leastDone;
    private double mostDone;
    private double leastPredicted;
    private double mostPredicted;

    private int[] jobs = new int[4];
    private long[] submitNanos = new long[4];
    private double[] remaining = new double[4];
    private double[] predicted = new double[4];
    /** A leaf of jobs that are all alike is not split again before it has so many. */
    private int splitsAbove = MOST_OF_LEAF;

    BidBox() {
        this(null);
    }

    private BidBox(@Nullable BidBox parent) {
        this.parent = parent;
        fit();
    }

    @Nullable BidBox parent() {
        return parent;
    }

    /** When a job would have been done without any wait; less the time of now, its shared time, but for rounding. */
    static double doneSeconds(long submitNanos, double remainingSeconds) {
        return remainingSeconds - submitNanos / 1e9;
    }

    /** The leaf in which a job with these quantities belongs. */
    BidBox leafOf(double doneSeconds, double predictedSeconds) {
        BidBox box = this;
        while (box.parts.length > 0) {
            double value = box.splitsPredicted ? predictedSeconds : doneSeconds;
            box = box.parts[value >= box.splitAt ? 1 : 0];
        }
        return box;
    }

    /** Adds a job to a leaf. */
    void add(int job, long submit, double remainingSeconds, double predictedSeconds) {
        append(job, submit, remainingSeconds, predictedSeconds);
        double done = doneSeconds(submit, remainingSeconds);
        for (BidBox box = this; box != null; box = box.parent) {
            if (box != this) {
                box.size++;
            }
            box.added++;
            box.stretch(done, done, predictedSeconds, predictedSeconds);
        }
    }

    private void append(int job, long submit, double remainingSeconds, double predictedSeconds) {
        if (size == jobs.length) {
            jobs = Arrays.copyOf(jobs, 2 * size);
            submitNanos = Arrays.copyOf(submitNanos, 2 * size);
            remaining = Arrays.copyOf(remaining, 2 * size);
            predicted = Arrays.copyOf(predicted, 2 * size);
        }
        jobs[size] = job;
        submitNanos[size] = submit;
        remaining[size] = remainingSeconds;
        predicted[size++] = predictedSeconds;
    }

    private void stretch(double fromDone, double toDone, double fromPredicted, double toPredicted) {
        leastDone = Math.min(leastDone, fromDone);
        mostDone = Math.max(mostDone, toDone);
        leastPredicted = Math.min(leastPredicted, fromPredicted);
        mostPredicted = Math.max(mostPredicted, toPredicted);
    }

    /** Removes a job from a leaf. */
    void remove(int job) {
        int at = 0;
        while (jobs[at] != job) {
            at++;
        }
        size--;
        jobs[at] = jobs[size];
        submitNanos[at] = submitNanos[size];
        remaining[at] = remaining[size];
        predicted[at] = predicted[size];
        fit();
        for (BidBox box = parent; box != null; box = box.parent) {
            box.size--;
            box.fit();
        }
    }

    /** Sets the bounds to those of the jobs or parts. */
    private void fit() {
        leastDone = Double.POSITIVE_INFINITY;
        mostDone = Double.NEGATIVE_INFINITY;
        leastPredicted = Double.POSITIVE_INFINITY;
        mostPredicted = Double.NEGATIVE_INFINITY;
        for (BidBox part : parts) {
            stretch(part.leastDone, part.mostDone, part.leastPredicted, part.mostPredicted);
        }
        for (int at = 0; at < size && parts.length == 0; at++) {
            double done = doneSeconds(submitNanos[at], remaining[at]);
            stretch(done, done, predicted[at], predicted[at]);
        }
    }

    /**
     * Splits a leaf that is full, and restores the balance of the largest box that has lost it by that.
     *
     * @return the box whose jobs have other leaves now, or null when there is none
     */
    @Nullable BidBox split(double nowSeconds) {
        if (size <= splitsAbove) {
            return null;
        }
        BidBox changed = this;
        for (BidBox box = parent; box != null; box = box.parent) {
            if (box.isOutOfBalance()) {
                changed = box;
            }
        }
        changed.gather();
        changed.splitAll(nowSeconds);
        return changed;
    }

    private boolean isOutOfBalance() {
        return 4 * Math.max(parts[0].size, parts[1].size) > 3 * size && 4 * added > size;
    }

    /** Splits a leaf where its jobs differ by the larger factor, and its parts likewise. */
    private void splitAll(double nowSeconds) {
        added = 0;
        if (size <= MOST_OF_LEAF) {
            return;
        }
        boolean byPredicted = mostPredicted * (nowSeconds + leastDone) > leastPredicted * (nowSeconds + mostDone);
        if (split(byPredicted) || split(!byPredicted)) {
            parts[0].splitAll(nowSeconds);
            parts[1].splitAll(nowSeconds);
        } else {
            splitsAbove = 2 * size;
        }
    }

    private boolean split(boolean byPredicted) {
        double[] sorted = new double[size];
        for (int at = 0; at < size; at++) {
            sorted[at] = byPredicted ? predicted[at] : doneSeconds(submitNanos[at], remaining[at]);
        }
        double[] values = sorted.clone();
        Arrays.sort(sorted);
        int middle = size / 2;
        while (middle < size && sorted[middle] == sorted[0]) {
            middle++;
        }
        if (middle == size) {
            return false;
        }
        splitsPredicted = byPredicted;
        splitAt = sorted[middle];
        parts = new BidBox[] {new BidBox(this), new BidBox(this)};
        for (int at = 0; at < size; at++) {
            parts[values[at] >= splitAt ? 1 : 0].append(jobs[at], submitNanos[at], remaining[at], predicted[at]);
        }
        parts[0].fit();
        parts[1].fit();
        jobs = new int[4];
        submitNanos = new long[4];
        remaining = new double[4];
        predicted = new double[4];
        return true;
    }

    /** Becomes a leaf when it has few jobs left; whether it did. */
    boolean merge() {
        if (size > FEW) {
            return false;
        }
        gather();
        return true;
    }

    /** Becomes a leaf. */
    private void gather() {
        BidBox[] gathered = parts;
        if (gathered.length > 0) {
            parts = NO_PARTS;
            size = 0;
            splitsAbove = MOST_OF_LEAF;
            for (BidBox part : gathered) {
                part.moveTo(this);
            }
        }
    }

    private void moveTo(BidBox leaf) {
        for (BidBox part : parts) {
            part.moveTo(leaf);
        }
        for (int at = 0; at < size && parts.length == 0; at++) {
            leaf.append(jobs[at], submitNanos[at], remaining[at], predicted[at]);
        }
    }

    /** Passes every job with its leaf. */
    void forJobs(LeafConsumer consumer) {
        for (BidBox part : parts) {
            part.forJobs(consumer);
        }
        for (int at = 0; at < size && parts.length == 0; at++) {
            consumer.accept(jobs[at], this);
        }
    }

    void visit(long nowNanos, BidTree.Visitor visitor) {
        double now = nowNanos / 1e9;
        if (size == 0 || !visitor.enters(size, now + leastDone, now + mostDone, leastPredicted, mostPredicted)) {
            return;
        }
        if (parts.length > 0) {
            int first = parts[1].leastDone < parts[0].leastDone ? 1 : 0;
            parts[first].visit(nowNanos, visitor);
            parts[1 - first].visit(nowNanos, visitor);
            return;
        }
        for (int at = 0; at < size; at++) {
            visitor.visit(jobs[at], (nowNanos - submitNanos[at]) / 1e9 + remaining[at], predicted[at]);
        }
    }
}
