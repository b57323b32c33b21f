package org.trainyard.env.gym.auction;

/** Scores the bids of the auctions of one run: the higher, the better. */
public interface AuctionScorer {
    /**
     * The scores of all bids of an auction, by bid; overwritten by the next call, and perhaps longer than the auction.
     */
    float[] score(Auction auction);

    /** The bid of the highest score from the first legal one on, the first of equals, at that price. */
    default Offer offer(Auction auction, int firstLegal) {
        float[] scores = score(auction);
        return Offer.highest(bid -> scores[bid], firstLegal, auction.size());
    }
}
