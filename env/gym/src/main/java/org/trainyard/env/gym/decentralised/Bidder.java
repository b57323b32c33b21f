package org.trainyard.env.gym.decentralised;

import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionScorer;
import org.trainyard.env.gym.auction.Chooser;
import org.trainyard.env.gym.auction.Offer;

/** Makes the offers of one agent that decides apart. */
@FunctionalInterface
public interface Bidder {
    /**
     * One of the agent's bids and its price.
     *
     * @param auction of several bids, all of the agent
     * @param firstLegal the first bid on offer: 1 where the bid to wait, 0, is not
     */
    Offer offer(Auction auction, int firstLegal);

    /** Offers the bid of the highest score, the first of equals. */
    static Bidder greedy(AuctionScorer scorer) {
        return (auction, firstLegal) -> {
            float[] scores = scorer.score(auction);
            int best = firstLegal;
            for (int bid = firstLegal + 1; bid < auction.size(); bid++) {
                best = scores[bid] > scores[best] ? bid : best;
            }
            return new Offer(best, scores[best]);
        };
    }

    /** Offers the bid that is chosen, at its score. */
    static Bidder byScore(Chooser.ByScore chooser) {
        return (auction, firstLegal) -> {
            int best = chooser.choose(auction, firstLegal);
            return new Offer(best, chooser.score(auction, best));
        };
    }
}
