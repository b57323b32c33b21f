package org.trainyard.env.gym.auction;

/** Chooses the winner of every auction of a run. */
@FunctionalInterface
public interface Chooser {
    /**
     * The bid that wins.
     *
     * @param auction of several bids
     * @param firstLegal the first bid that may win: 1 where the bid to wait, 0, may not
     */
    int choose(Auction auction, int firstLegal);

    /** Chooses the bid of the highest score, the first of equals. */
    static Chooser greedy(AuctionScorer scorer) {
        return (auction, firstLegal) -> best(scorer.score(auction), firstLegal, auction.size());
    }

    /** The first of the highest scores of the bids {@code firstLegal} to {@code size - 1}. */
    static int best(float[] scores, int firstLegal, int size) {
        int best = firstLegal;
        for (int bid = firstLegal + 1; bid < size; bid++) {
            best = scores[bid] > scores[best] ? bid : best;
        }
        return best;
    }
}
