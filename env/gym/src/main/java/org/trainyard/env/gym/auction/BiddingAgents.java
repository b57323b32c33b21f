package org.trainyard.env.gym.auction;

import org.jspecify.annotations.Nullable;

/**
 * The agents of a run, one for each domain, and the auctioneer: each scores its own bids and makes its {@link Offer},
 * the bid of the highest score at that price, and the highest price wins. The auctioneer's offer is the reserve price,
 * at which the bid to wait wins.
 *
 * <p>Only offers pass between agents. Agents without a bid are not asked.
 */
public final class BiddingAgents implements Chooser {
    private final AuctionScorer scorer;
    /** The bids of the agent that makes its offer. */
    private final Auction own = new Auction();

    private float[] scores = new float[64];

    /** @param scorer is shown the bids of one agent alone, and scores each of them by itself */
    public BiddingAgents(AuctionScorer scorer) {
        this.scorer = scorer;
    }

    @Override
    public int choose(Auction auction, int firstLegal) {
        if (scores.length < auction.size()) {
            scores = new float[2 * auction.size()];
        }
        @Nullable Offer best = null;
        for (int i = 0; i < auction.owners(); i++) {
            Offer offer = offer(auction, auction.owner(i));
            best = offer.bid() < firstLegal ? best : Offer.higher(best, offer);
        }
        if (best == null) {
            throw new IllegalArgumentException(
                    "an auction of (%d) bids of which none is legal".formatted(auction.size()));
        }
        return best.bid();
    }

    /** The scores of all bids of the last auction, by bid; overwritten by the next, and perhaps longer. */
    public float[] scores() {
        return scores;
    }

    private Offer offer(Auction auction, int owner) {
        own.copyOwn(auction, owner);
        float[] itsScores = scorer.score(own);
        Offer best = Offer.highest(i -> itsScores[i], 0, own.size());
        int bid = auction.firstOf(owner);
        int winner = bid;
        for (int i = 0; i < own.size(); i++) {
            scores[bid] = itsScores[i];
            winner = i == best.bid() ? bid : winner;
            bid = auction.nextOf(bid);
        }
        return new Offer(winner, best.price());
    }
}
