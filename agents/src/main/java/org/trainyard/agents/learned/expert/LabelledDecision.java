package org.trainyard.agents.learned.expert;

import org.trainyard.env.gym.auction.Auction;

/** A decision and what its alternatives cost. */
final class LabelledDecision {
    private final Auction auction;
    private final boolean mayWait;
    private final double[] probabilities;
    private final int[] arms;
    private final ArmCosts costs;

    /**
     * @param auction its bids
     * @param mayWait whether the first bid, to wait, is legal
     * @param probabilities of the policy, by bid
     * @param arms the bids that were tried, the policy's own first
     * @param costs of these
     */
    LabelledDecision(Auction auction, boolean mayWait, double[] probabilities, int[] arms, ArmCosts costs) {
        this.auction = auction;
        this.mayWait = mayWait;
        this.probabilities = probabilities;
        this.arms = arms;
        this.costs = costs;
    }

    Auction auction() {
        return auction;
    }

    /** Whether the first bid, to wait, is legal. */
    boolean mayWait() {
        return mayWait;
    }

    /** The policy's probability of a bid; 0 for an illegal one. */
    double probability(int bid) {
        return probabilities[bid];
    }

    /** The bid of an arm; arm 0 is the policy's own bid. */
    int bid(int arm) {
        return arms[arm];
    }

    ArmCosts costs() {
        return costs;
    }
}
