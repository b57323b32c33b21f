package org.trainyard.agents.learned.auction;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionSettings;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/** Agents that bid by a network, as a scheduler: the bid of the highest score wins, the first of equals. */
public final class AuctionScheduler implements Scheduler {
    private final BidNetwork network;
    private final AuctionSettings settings;
    private final Domains domains;
    private final InterferenceModel belief;
    private final ArrayDeque<Decision> decided = new ArrayDeque<>();
    private final DecisionSink queue = new DecisionSink() {
        @Override
        public void start(int job, Placement placement) {
            decided.add(new Decision.Start(job, placement));
        }

        @Override
        public void forward(int job, int domain) {
            decided.add(new Decision.Forward(job, domain));
        }

        @Override
        public void preempt(int job) {
            decided.add(new Decision.Preempt(job));
        }
    };
    private float[] scores = new float[64];
    private final float[] scratch;
    private @Nullable Auctioneer auctioneer;

    /** @param belief the interference model of the agents, not that of the simulator */
    public AuctionScheduler(BidNetwork network, AuctionSettings settings, Domains domains, InterferenceModel belief) {
        this.network = network;
        this.settings = settings;
        this.domains = domains;
        this.belief = belief;
        scratch = new float[network.hidden()];
    }

    @Override
    public Decision decide(SimView view) {
        Auctioneer present = auctioneer;
        if (present == null) {
            present = new Auctioneer(view, settings, domains, belief);
            auctioneer = present;
        }
        while (decided.isEmpty()) {
            present.settle(queue);
            if (!decided.isEmpty()) {
                break;
            }
            Auction auction = present.open();
            int best = best(auction, present.mayWait());
            if (auction.kind(best) == BidKind.WAIT) {
                return present.untilNext();
            }
            present.win(best, queue);
        }
        return decided.remove();
    }

    private int best(Auction auction, boolean mayWait) {
        if (auction.size() == 1) {
            return 0;
        }
        if (scores.length < auction.size()) {
            scores = new float[2 * auction.size()];
        }
        network.score(auction, scores, scratch);
        int best = mayWait ? 0 : 1;
        for (int bid = best + 1; bid < auction.size(); bid++) {
            best = scores[bid] > scores[best] ? bid : best;
        }
        return best;
    }
}
