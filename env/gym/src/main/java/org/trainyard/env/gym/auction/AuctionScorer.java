package org.trainyard.env.gym.auction;

/** Scores the bids of the auctions of one run: the higher, the better. */
public interface AuctionScorer {
    /**
     * The scores of all bids of an auction, by bid; overwritten by the next call, and perhaps longer than the auction.
     */
    float[] score(Auction auction);
}
