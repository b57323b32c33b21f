package org.trainyard.env.gym.auction;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An agent of the auction, the owner of a domain: it scores the bids that begin there and offers the best of them.
 *
 * <p>While it explores it adds Gumbel noise to each score. The greatest of scores with such noise falls on a bid
 * with the probability that the softmax of the scores gives it, whoever adds the noise (E. J. Gumbel: Statistical
 * theory of extreme values and some practical applications, 1954; C. Maddison, D. Tarlow, T. Minka: A* sampling,
 * 2014). So the highest offer of all agents is a draw from one softmax over all bids, though none knows the bids of
 * another; without noise it is the bid of the highest score.
 */
public final class BiddingAgent {
    private final int owner;
    private final AuctionScorer scorer;
    private final @Nullable RandomGenerator noise;
    private final Auction own = new Auction();

    /**
     * @param owner number of its domain; -1 for the auctioneer, whose bid is to wait
     * @param scorer is shown the agent's own bids alone, and scores each of them by itself
     * @param noise draws the noise of this agent; null for an agent that does not explore
     */
    public BiddingAgent(int owner, AuctionScorer scorer, @Nullable RandomGenerator noise) {
        this.owner = owner;
        this.scorer = scorer;
        this.noise = noise;
    }

    /** The offer of the agent; null when it has no bid in this auction. */
    public @Nullable Offer offer(Auction auction) {
        own.copyOwn(auction, owner);
        if (own.size() == 0) {
            return null;
        }
        float[] scores = scorer.score(own);
        int best = -1;
        double price = 0;
        int bid = auction.firstOf(owner);
        for (int i = 0; i < own.size(); i++) {
            double value = noise == null ? scores[i] : scores[i] + gumbel(noise);
            if (best < 0 || value > price) {
                best = bid;
                price = value;
            }
            bid = auction.nextOf(bid);
        }
        return new Offer(best, price);
    }

    /** A number of the standard Gumbel distribution. */
    private static double gumbel(RandomGenerator random) {
        return -Math.log(random.nextExponential());
    }
}
