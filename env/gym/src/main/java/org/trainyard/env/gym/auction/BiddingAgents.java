package org.trainyard.env.gym.auction;

import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;

/**
 * The agents of a run, one for each domain, and the auctioneer: each makes its {@link Offer}, and the highest price
 * wins. The auctioneer's offer is the reserve price, at which the bid to wait wins.
 *
 * <p>Only offers pass between agents. Agents without a bid are not asked.
 */
public final class BiddingAgents implements Chooser {
    /** By owner + 1. */
    private final BiddingAgent[] agents;

    private BiddingAgents(AuctionScorer scorer, int domains, IntFunction<@Nullable RandomGenerator> noise) {
        agents = IntStream.rangeClosed(BidOwners.AUCTIONEER, domains - 1)
                .mapToObj(owner -> new BiddingAgent(owner, scorer, noise.apply(owner)))
                .toArray(BiddingAgent[]::new);
    }

    /** Agents that offer the bid of the highest score. */
    public static BiddingAgents greedy(AuctionScorer scorer, int domains) {
        return new BiddingAgents(scorer, domains, owner -> null);
    }

    /** Agents that explore, each with noise of its own. */
    public static BiddingAgents exploring(AuctionScorer scorer, int domains, long seed) {
        return new BiddingAgents(scorer, domains, owner -> RandomStreams.stream(seed, "agent/" + owner));
    }

    @Override
    public int choose(Auction auction, int firstLegal) {
        Offer best = null;
        for (int i = 0; i < auction.owners(); i++) {
            int owner = auction.owner(i);
            if (owner != BidOwners.AUCTIONEER || firstLegal == 0) {
                best = Offer.higher(best, agents[owner + 1].offer(auction));
            }
        }
        if (best == null) {
            throw new IllegalArgumentException(
                    "an auction of (%d) bids of which none is legal".formatted(auction.size()));
        }
        return best.bid();
    }

    /**
     * An agent of the auction, the owner of a domain: it scores the bids that begin there and offers the best of them.
     *
     * <p>While it explores it adds Gumbel noise to each score. The greatest of scores with such noise falls on a bid
     * with the probability that the softmax of the scores gives it, whoever adds the noise (E. J. Gumbel: Statistical
     * theory of extreme values and some practical applications, 1954; C. Maddison, D. Tarlow, T. Minka: A* sampling,
     * 2014). So the highest offer of all agents is a draw from one softmax over all bids, though none knows the bids of
     * another; without noise it is the bid of the highest score.
     */
    static final class BiddingAgent {
        private final int owner;
        private final AuctionScorer scorer;
        private final @Nullable RandomGenerator noise;
        private final Auction own = new Auction();

        /**
         * @param owner number of its domain; -1 for the auctioneer, whose bid is to wait
         * @param scorer is shown the agent's own bids alone, and scores each of them by itself
         * @param noise draws the noise of this agent; null for an agent that does not explore
         */
        BiddingAgent(int owner, AuctionScorer scorer, @Nullable RandomGenerator noise) {
            this.owner = owner;
            this.scorer = scorer;
            this.noise = noise;
        }

        /** The offer of the agent; null when it has no bid in this auction. */
        @Nullable Offer offer(Auction auction) {
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
}
