package org.trainyard.agents.learned.auction;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/** Agents that bid by a network, as a scheduler: the bid of the highest score wins, the first of equals. */
public final class AuctionScheduler implements Scheduler {
    private final BidPolicy policy;
    private final Deployment deployment;
    private final DecisionQueue decided = new DecisionQueue();
    private @Nullable Auctioneer auctioneer;
    private @Nullable BidScorer scorer;

    /** @param policy its weights must not change during the run */
    public AuctionScheduler(BidPolicy policy, Deployment deployment) {
        this.policy = policy;
        this.deployment = deployment;
    }

    @Override
    public Decision decide(SimView view) {
        Auctioneer present = auctioneer;
        if (present == null) {
            present = policy.auctioneer(view, deployment);
            auctioneer = present;
            scorer = new BidScorer(policy, present);
        }
        while (decided.isEmpty()) {
            present.settle(decided);
            if (!decided.isEmpty()) {
                break;
            }
            Auction auction = present.open();
            int best = best(auction, present.mayWait());
            if (auction.kind(best) == BidKind.WAIT) {
                return present.untilNext();
            }
            present.win(best, decided);
        }
        return decided.remove();
    }

    private int best(Auction auction, boolean mayWait) {
        if (auction.size() == 1) {
            return 0;
        }
        float[] scores =
                Objects.requireNonNull(scorer, "made with the auctioneer").score(auction);
        int best = mayWait ? 0 : 1;
        for (int bid = best + 1; bid < auction.size(); bid++) {
            best = scores[bid] > scores[best] ? bid : best;
        }
        return best;
    }
}
