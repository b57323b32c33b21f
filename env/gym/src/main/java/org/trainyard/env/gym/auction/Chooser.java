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
     * A chooser of the bid of the highest score, the first of equals, that knows scores bid by bid: bids that cannot
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
            return offer(auction, firstLegal).bid();
        }

        /** The bid that is chosen, at its score. */
        default Offer offer(Auction auction, int firstLegal) {
            return Offer.highest(bid -> score(auction, bid), firstLegal, auction.size());
        }
    }
}
