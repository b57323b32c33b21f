package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import org.trainyard.env.simulation.SimView;

/**
 * Inputs of the bids of waiting jobs, in a tree of boxes of two quantities that stay as they are while a job waits:
 * when it would have been done without any wait, and its predicted run time. A box whose bids are all alike in some
 * respect need not be entered.
 *
 * <p>Source: J. L. Bentley: Multidimensional binary search trees used for associative searching, Communications of the
 * ACM 18(9), 1975. An addition or removal costs O(log jobs) and the jobs of a leaf; a visit of the boxes that a line
 * crosses, O(sqrt(jobs)).
 */
final class BidTree {
    /** Tells which boxes of a tree are entered, and takes the bids in these. */
    interface Visitor {
        /**
         * Whether to visit so many jobs, all within these bounds on {@linkplain Bid#sharedSeconds shared} and predicted
         * run time, seconds. Bounds on the first are rounded.
         */
        boolean enters(int jobs, double leastShared, double mostShared, double leastPredicted, double mostPredicted);

        void visit(int job, double sharedSeconds, double predictedSeconds);
    }

    private final Int2ObjectOpenHashMap<BidBox> leafOf = new Int2ObjectOpenHashMap<>();
    private BidBox root = new BidBox();

    int size() {
        return leafOf.size();
    }

    int anyJob() {
        return leafOf.keySet().iterator().nextInt();
    }

    void clear() {
        leafOf.clear();
        root = new BidBox();
    }

    void add(SimView view, int job) {
        add(
                job,
                view.job(job).submitNanos(),
                view.predictedRemainingSeconds(job),
                view.predictedSeconds(job),
                view.nowNanos());
    }

    void add(int job, long submitNanos, double remainingSeconds, double predictedSeconds, long nowNanos) {
        BidBox leaf = root.leafOf(BidBox.doneSeconds(submitNanos, remainingSeconds), predictedSeconds);
        leaf.add(job, submitNanos, remainingSeconds, predictedSeconds);
        leafOf.put(job, leaf);
        BidBox changed = leaf.split(nowNanos / 1e9);
        if (changed != null) {
            changed.forJobs(leafOf::put);
        }
    }

    /** Removes a job that is here. */
    void remove(int job) {
        BidBox leaf = leafOf.remove(job);
        if (leaf == null) {
            return;
        }
        leaf.remove(job);
        BidBox parent = leaf.parent();
        if (parent != null && parent.merge()) {
            parent.forJobs(leafOf::put);
        }
    }

    /**
     * Visits all jobs but those of boxes that the visitor does not enter, in each box the part with the least shared
     * times first.
     */
    void visit(long nowNanos, Visitor visitor) {
        root.visit(nowNanos, visitor);
    }
}
