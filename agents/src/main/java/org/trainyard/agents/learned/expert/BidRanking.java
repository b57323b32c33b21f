package org.trainyard.agents.learned.expert;

import org.trainyard.agents.learned.auction.BidDistribution;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.env.gym.auction.Auction;

/** The legal bids of an auction by score, and the probabilities that the policy gives them. */
final class BidRanking {
    private static final float[] NO_INPUTS = {};

    private final BidNetwork network;
    private final float[] scratch;
    private final BidDistribution distribution = new BidDistribution();
    private float[] scores = new float[64];
    private int from;
    private int to;

    /** @param network of a policy without encoder; its weights must not change while it ranks */
    BidRanking(BidNetwork network) {
        this.network = network;
        scratch = new float[network.hidden()];
    }

    /** Ranks the bids of an auction. */
    void rank(Auction auction, boolean mayWait) {
        from = mayWait ? 0 : 1;
        to = auction.size();
        if (scores.length < to) {
            scores = new float[2 * to];
        }
        network.score(auction, NO_INPUTS, scores, scratch);
    }

    /** The bid of the highest score, the first of equals: the bid of the policy as it is deployed. */
    int best() {
        int best = from;
        for (int bid = from + 1; bid < to; bid++) {
            best = scores[bid] > scores[best] ? bid : best;
        }
        return best;
    }

    /** The bids of highest score, best first. */
    int[] best(int most) {
        int[] bids = new int[Math.min(most, to - from)];
        for (int i = 0; i < bids.length; i++) {
            int best = -1;
            for (int bid = from; bid < to; bid++) {
                if (!contains(bids, i, bid) && (best < 0 || scores[bid] > scores[best])) {
                    best = bid;
                }
            }
            bids[i] = best;
        }
        return bids;
    }

    private static boolean contains(int[] bids, int count, int bid) {
        for (int i = 0; i < count; i++) {
            if (bids[i] == bid) {
                return true;
            }
        }
        return false;
    }

    /** The probability of every bid; 0 for an illegal one. */
    double[] probabilities() {
        distribution.set(scores, to, from);
        double[] probabilities = new double[to];
        for (int bid = from; bid < to; bid++) {
            probabilities[bid] = distribution.probability(bid);
        }
        return probabilities;
    }

    /** Whether at least two bids have this probability. */
    boolean isContested(double plausible) {
        if (to - from < 2) {
            return false;
        }
        distribution.set(scores, to, from);
        int count = 0;
        for (int bid = from; bid < to; bid++) {
            count += distribution.probability(bid) >= plausible ? 1 : 0;
        }
        return count > 1;
    }
}
