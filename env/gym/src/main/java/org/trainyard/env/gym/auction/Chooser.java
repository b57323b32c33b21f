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

    /**
     * One that chooses the bid of the highest score, the first of equals, and knows scores bid by bid: bids that cannot
     * win need not be made.
     */
    interface ByScore extends Chooser {
        /** The score of a bid, by its own columns alone. */
        double score(Auction auction, int bid);

        /**
         * The score of a bid to make room whose plan costs nothing. Others have this less their cost.
         *
         * @param work column {@link BidColumn#REMAINING_WORK}
         * @param slow column {@link BidColumn#SLOW_FOR_LONG}
         */
        double makingRoom(double work, double slow);

        /** A score that no bid to move reaches. */
        double moving();

        /** Seconds that a bid to move has to save so that it can win. */
        double leastSavedSeconds();

        @Override
        default int choose(Auction auction, int firstLegal) {
            int best = firstLegal;
            double most = Double.NEGATIVE_INFINITY;
            for (int bid = firstLegal; bid < auction.size(); bid++) {
                double score = score(auction, bid);
                if (score > most) {
                    most = score;
                    best = bid;
                }
            }
            return best;
        }
    }

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
