package org.trainyard.agents.heuristic.lease;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One auction of GPUs among the waiting jobs of some kinds and jobs past their leases, the holders: of the part of the
 * bidders that has the worst ratios the largest gain goes first, then come the others by ratio, the worst first;
 * whoever does not fit into what is left is skipped.
 *
 * <p>Only winners and holders are sorted, and most others not valued: {@link AuctionEntry} finds the last bidder of the
 * first part, and a winner is looked for in the boxes of a {@link BidTree} that may have a better one than is known.
 * O(kinds x sqrt(jobs)) for each winner.
 */
final class FairnessAuction {
    /** Bidders that take equally many GPUs: the waiting jobs of a kind, or one holder. */
    static final class Group {
        private final BidTree bids;
        private final int demand;
        private final double stretch;
        private final int takes;
        /** The bid that is next in the current order. */
        private final Bid next = new Bid();

        private boolean isNextKnown;
        private boolean hasNext;
        /** Whether a holder that did not win is in the part that goes first. */
        private boolean goesFirst;

        /** @param stretch how much longer a job takes on an equal share of the cluster than alone */
        private Group(BidTree bids, int demand, double stretch, int takes) {
            this.bids = bids;
            this.demand = demand;
            this.stretch = stretch;
            this.takes = takes;
        }

        BidTree bids() {
            return bids;
        }

        int demand() {
            return demand;
        }

        double stretch() {
            return stretch;
        }
    }

    /** Finds the next bid of a group. */
    private final class Search implements BidTree.Visitor {
        private final Bid candidate = new Bid();
        private Group group = NO_GROUP;
        private boolean goFirst;

        @Override
        public boolean enters(
                int size, double leastShared, double mostShared, double leastPredicted, double mostPredicted) {
            double least = Bid.leastOf(leastShared);
            double most = Bid.mostOf(mostShared);
            double share = leastPredicted * group.stretch;
            if (goFirst) {
                return !(most < entry.leastRatio() * share) && !(group.hasNext && least > group.next.sharedSeconds);
            }
            return !(least > entry.leastRatio() * (mostPredicted * group.stretch))
                    && !(group.hasNext && most < group.next.ratio * share);
        }

        @Override
        public void visit(int job, double sharedSeconds, double predictedSeconds) {
            double ratio = Bid.ratio(sharedSeconds, predictedSeconds, group.stretch);
            candidate.set(job, Math.max(1, group.demand), sharedSeconds, ratio);
            if (entry.has(candidate) == goFirst
                    && (!group.hasNext || precedes(candidate, group.next, goFirst))
                    && !(isAnySold && won.contains(job))) {
                group.next.set(candidate);
                group.hasNext = true;
            }
        }
    }

    private static final Group NO_GROUP = new Group(new BidTree(), 0, 1, 0);

    private final double leaseSeconds;
    private final double part;
    private final AuctionEntry entry = new AuctionEntry();
    private final Search search = new Search();
    private final List<Group> groups = new ArrayList<>();
    private final List<Group> holders = new ArrayList<>();
    private final List<Group> losers = new ArrayList<>();
    private final IntOpenHashSet won = new IntOpenHashSet();
    private long nowNanos;
    private int presentJobs;
    private int clusterGpus = 1;
    private int bidders;
    private boolean isAnySold;

    /** @param part of the bidders that goes first */
    FairnessAuction(double leaseSeconds, double part) {
        this.leaseSeconds = leaseSeconds;
        this.part = part;
    }

    /** Begins an auction in which an equal share of the cluster is what each of so many jobs gets of so many GPUs. */
    void begin(long now, int jobs, int gpus) {
        nowNanos = now;
        presentJobs = jobs;
        clusterGpus = Math.max(1, gpus);
        groups.clear();
        holders.clear();
        bidders = 0;
    }

    /** Adds the waiting jobs of a kind. */
    void add(WaitingBids.Kind kind) {
        groups.add(new Group(kind.bids(), kind.gpus(), stretch(kind.gpus()), kind.gpus()));
        bidders += kind.bids().size();
    }

    /** Adds a job past its lease, which demands and holds so many GPUs. */
    void addHolder(BidTree bid, int demand, int held) {
        Group group = new Group(bid, demand, stretch(demand), held);
        groups.add(group);
        holders.add(group);
        bidders++;
    }

    private double stretch(int gpus) {
        return Math.max(1, (double) Math.max(1, gpus) * presentJobs / clusterGpus);
    }

    /** Sells so many GPUs; passes the winners in their order. */
    void sell(int gpus, IntConsumer winner) {
        won.clear();
        isAnySold = false;
        entry.find(groups, bidders, (int) Math.ceil(part * bidders), nowNanos);
        int left = sell(gpus, true, winner);
        sell(left, false, winner);
    }

    /** Sells to the bidders that go first, or to the others; returns what is left. */
    private int sell(int gpus, boolean goFirst, IntConsumer winner) {
        int left = gpus;
        for (Group group : groups) {
            group.isNextKnown = false;
        }
        for (Group best = next(left, goFirst); best != null; best = next(left, goFirst)) {
            won.add(best.next.job);
            isAnySold = true;
            winner.accept(best.next.job);
            best.isNextKnown = false;
            left -= best.takes;
        }
        return left;
    }

    /** The group whose next bid is the first of those that fit. */
    private @Nullable Group next(int left, boolean goFirst) {
        Group best = null;
        for (Group group : groups) {
            if (group.takes <= left) {
                findNext(group, goFirst);
                if (group.hasNext && (best == null || precedes(group.next, best.next, goFirst))) {
                    best = group;
                }
            }
        }
        return best;
    }

    private void findNext(Group group, boolean goFirst) {
        if (group.isNextKnown) {
            return;
        }
        group.isNextKnown = true;
        group.hasNext = false;
        search.group = group;
        search.goFirst = goFirst;
        group.bids.visit(nowNanos, search);
    }

    private boolean precedes(Bid a, Bid b, boolean goFirst) {
        return goFirst ? a.gainsMore(b, leaseSeconds) : a.isWorse(b);
    }

    /** Passes the holders that did not win in their order; to be called after {@link #sell}. */
    void forLosers(IntConsumer loser) {
        losers.clear();
        for (Group holder : holders) {
            if (!won.contains(holder.bids.anyJob())) {
                holder.isNextKnown = false;
                findNext(holder, true);
                holder.goesFirst = holder.hasNext;
                holder.isNextKnown = holder.hasNext;
                findNext(holder, false);
                losers.add(holder);
            }
        }
        losers.sort((a, b) -> {
            boolean isBefore = a.goesFirst == b.goesFirst ? precedes(a.next, b.next, a.goesFirst) : a.goesFirst;
            return isBefore ? -1 : 1;
        });
        for (Group each : losers) {
            loser.accept(each.next.job);
        }
    }
}
