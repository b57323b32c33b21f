package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bidders with the worst ratios, found without valuing the others. The ratio of the last of them is close to that
 * in the last auction in which bidders demanded as many GPUs at most, so bids in a range around it are sorted and those
 * above are counted; the range is wider until it has the last one. O(kinds x sqrt(jobs)).
 */
final class AuctionEntry {
    /** The most bidders of an auction of whom all are sorted. */
    private static final int FEW = 48;
    /** The number of bids within the range that the range is made for. */
    private static final int IN_RANGE = 24;

    private static final double FIRST_WIDTH = 1e-3;
    private static final double LEAST_WIDTH = 1e-5;
    private static final double MOST_WIDTH = 0.5;
    private static final double WIDENED = 3;

    /** Counts the bids above the range and collects those within. */
    private static final class Range implements BidTree.Visitor {
        private double stretch;
        private double low;
        private double high;
        private int above;
        private final DoubleArrayList ratios = new DoubleArrayList();
        private final IntArrayList jobs = new IntArrayList();

        @Override
        public boolean enters(
                int size, double leastShared, double mostShared, double leastPredicted, double mostPredicted) {
            if (Bid.leastOf(leastShared) > high * (mostPredicted * stretch)) {
                above += size;
                return false;
            }
            return !(Bid.mostOf(mostShared) < low * (leastPredicted * stretch));
        }

        @Override
        public void visit(int job, double sharedSeconds, double predictedSeconds) {
            add(job, Bid.ratio(sharedSeconds, predictedSeconds, stretch));
        }

        private void add(int job, double ratio) {
            if (ratio > high) {
                above++;
            } else if (ratio >= low) {
                ratios.add(ratio);
                jobs.add(job);
            }
        }
    }

    private final Range range = new Range();
    /**
     * By the most GPUs that a bidder demands, the least ratio of the last auction, 0 for none, and the width of the
     * range as part of it.
     */
    private double[] lastRatio = new double[0];

    private double[] width = new double[0];
    private double leastRatio;
    private int lastOfTies;

    /** Finds so many bidders, at least 1 and at most all. */
    void find(List<FairnessAuction.Group> groups, int bidders, int entrants, long nowNanos) {
        int at = widest(groups);
        if (at >= lastRatio.length) {
            int before = width.length;
            lastRatio = Arrays.copyOf(lastRatio, at + 1);
            width = Arrays.copyOf(width, at + 1);
            Arrays.fill(width, before, at + 1, FIRST_WIDTH);
        }
        boolean isAll = bidders <= FEW || lastRatio[at] == 0;
        range.low = isAll ? 0 : lastRatio[at] * (1 - width[at]);
        range.high = isAll ? Double.POSITIVE_INFINITY : lastRatio[at] * (1 + width[at]);
        double wider = width[at];
        for (count(groups, nowNanos); !isLastInRange(entrants); count(groups, nowNanos)) {
            wider *= WIDENED;
            boolean isWide = wider > MOST_WIDTH;
            if (range.above >= entrants) {
                range.low = range.high;
                range.high = isWide ? Double.POSITIVE_INFINITY : range.high * (1 + wider);
            } else {
                range.high = range.low;
                range.low = isWide ? 0 : range.low * (1 - wider);
            }
        }
        select(entrants - range.above);
        lastRatio[at] = leastRatio;
        if (!isAll) {
            boolean isNarrow = wider > width[at] || range.ratios.size() < IN_RANGE;
            width[at] = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width[at] * (isNarrow ? 1.5 : 0.9)));
        }
    }

    /** The most GPUs that one bidder demands. */
    private static int widest(List<FairnessAuction.Group> groups) {
        int most = 0;
        for (FairnessAuction.Group group : groups) {
            most = Math.max(most, group.demand());
        }
        return most;
    }

    private void count(List<FairnessAuction.Group> groups, long nowNanos) {
        range.above = 0;
        range.ratios.clear();
        range.jobs.clear();
        for (FairnessAuction.Group group : groups) {
            range.stretch = group.stretch();
            group.bids().visit(nowNanos, range);
        }
    }

    private boolean isLastInRange(int entrants) {
        return range.above < entrants && entrants <= range.above + range.ratios.size();
    }

    /** Selects so many of the bids within the range. */
    private void select(int entrants) {
        double[] sorted = range.ratios.toDoubleArray();
        Arrays.sort(sorted);
        leastRatio = sorted[sorted.length - entrants];
        int worse = 0;
        IntArrayList ties = new IntArrayList();
        for (int i = 0; i < sorted.length; i++) {
            if (range.ratios.getDouble(i) > leastRatio) {
                worse++;
            } else if (range.ratios.getDouble(i) == leastRatio) {
                ties.add(range.jobs.getInt(i));
            }
        }
        ties.sort(null);
        lastOfTies = ties.getInt(entrants - worse - 1);
    }

    boolean has(Bid bid) {
        return bid.ratio > leastRatio || (bid.ratio == leastRatio && bid.job <= lastOfTies);
    }

    /** The least ratio of a bidder found. */
    double leastRatio() {
        return leastRatio;
    }
}
