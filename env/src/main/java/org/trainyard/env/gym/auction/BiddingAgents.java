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
}
