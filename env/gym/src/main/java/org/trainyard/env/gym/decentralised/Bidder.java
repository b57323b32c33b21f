package org.trainyard.env.gym.decentralised;

import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Offer;

/** Makes the offers of one agent that decides apart. */
@FunctionalInterface
public interface Bidder {
    /**
     * Returns the chosen bid of the agent and its price.
     *
     * @param auction of several bids, all of the agent
     * @param firstLegal the first bid on offer: 1 where the bid to wait, 0, is not
     */
    Offer offer(Auction auction, int firstLegal);
}
