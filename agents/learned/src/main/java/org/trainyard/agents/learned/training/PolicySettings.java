package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.atLeast;

import org.trainyard.env.FormerKey;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.RemainingTime;

/**
 * The first policy of a learner of bids, and the auctions in which it bids.
 *
 * @param start the first policy
 * @param remainingTimeEstimator title of a {@link RemainingTime}, by which jobs bid and are preempted
 * @param jobs waiting jobs that bid at once
 * @param placementCandidates sets of servers for which a job may bid
 * @param moves running jobs that may bid at once to move where they run faster; they need preemption
 * @param patience whether a job may take an option to wait for a consolidated place
 */
public record PolicySettings(
        BidStart start,
        @FormerKey("order") String remainingTimeEstimator,
        int jobs,
        @FormerKey("sets") int placementCandidates,
        int moves,
        boolean patience) {
    public PolicySettings {
        atLeast(1, "jobs", jobs);
        atLeast(1, "placementCandidates", placementCandidates);
        atLeast(0, "moves", moves);
        RemainingTime.of(remainingTimeEstimator);
    }

    public AuctionSettings auctions(boolean preemption) {
        return new AuctionSettings(
                RemainingTime.of(remainingTimeEstimator), jobs, placementCandidates, moves, preemption, patience);
    }
}
