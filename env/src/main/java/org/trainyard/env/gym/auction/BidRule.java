package org.trainyard.env.gym.auction;

import java.util.Arrays;

/**
 * A hand-written rule over the bids of an auction, after the members of the tuned family with {@code sets},
 * {@code limit} and {@code move}. A bid is within the limit when neither its job nor the job's neighbours are
 * predicted to be slowed by {@code loss} or more. The rule takes the first of these that exists:
 * <ol>
 *   <li>the cheapest start within the limit of the first job that has one;
 *   <li>the cheapest plan to make room within the limit of the first job that has one;
 *   <li>the forward of the first job that cannot start at home and could elsewhere;
 *   <li>the move that saves most time, if it saves enough;
 *   <li>to wait.
 * </ol>
 *
 * <p>Its choice has the score {@link #SHARPNESS} and all other bids 0, so that in the softmax the choice is e^7
 * times as likely as any other bid. O(bids) per auction.
 */
public final class BidRule implements AuctionScorer {
    /** The score of the choice. */
    static final float SHARPNESS = 7;

    private final double loss;
    private final float leastSaved;
    private float[] scores = new float[64];

    /**
     * @param loss what predicted slowdowns less 1 must be below; columns are at most 2, so that more than 2 is no limit
     * @param moveMinutes minutes that a move saves at least
     */
    public BidRule(double loss, double moveMinutes) {
        this.loss = loss;
        leastSaved = BidColumn.scaledTime(60 * moveMinutes);
    }

    @Override
    public float[] score(Auction auction) {
        if (scores.length < auction.size()) {
            scores = new float[2 * auction.size()];
        }
        Arrays.fill(scores, 0, auction.size(), 0);
        scores[choice(auction)] = SHARPNESS;
        return scores;
    }

    private int choice(Auction auction) {
        int start = first(auction, BidKind.START, BidColumn.SET_POSITION);
        if (start > 0) {
            return start;
        }
        int room = first(auction, BidKind.MAKE_ROOM, BidColumn.PLAN_COST);
        if (room > 0) {
            return room;
        }
        for (int bid = 1; bid < auction.size(); bid++) {
            if (auction.kind(bid) == BidKind.FORWARD
                    && auction.column(bid, BidColumn.CAN_CONSOLIDATE) > 0
                    && auction.column(bid, BidColumn.FITS_HERE) == 0) {
                return bid;
            }
        }
        return move(auction);
    }

    /** The cheapest bid of a kind of the first job that has one within the limit; the bid to wait when no job has. */
    private int first(Auction auction, BidKind kind, BidColumn cost) {
        int best = 0;
        for (int bid = 1; bid < auction.size(); bid++) {
            if (auction.kind(bid) != kind || !isWithinLimit(auction, bid)) {
                continue;
            }
            // Bids come in the order of their jobs.
            if (best > 0 && auction.job(bid) != auction.job(best)) {
                return best;
            }
            if (best == 0 || auction.column(bid, cost) < auction.column(best, cost)) {
                best = bid;
            }
        }
        return best;
    }

    private boolean isWithinLimit(Auction auction, int bid) {
        return auction.column(bid, BidColumn.OWN_SLOWDOWN) < loss
                && auction.column(bid, BidColumn.NEIGHBOUR_SLOWDOWN) < loss;
    }

    private int move(Auction auction) {
        int best = 0;
        float most = leastSaved;
        for (int bid = 1; bid < auction.size(); bid++) {
            float saved = auction.column(bid, BidColumn.SAVED_TIME);
            if (auction.kind(bid) == BidKind.MOVE && saved >= most) {
                most = saved;
                best = bid;
            }
        }
        return best;
    }
}
