package org.trainyard.agents.learned.expert;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

/**
 * Tries the bids of highest score at a decision: each wins once in every one of some futures, after which the policy plays on. All bids meet the
 * same futures (common random numbers; the vine procedure of J. Schulman et al.: Trust region policy optimization, ICML 2015).
 */
final class ArmTrials {
    /** Futures after which trials end when no bid has made any difference. */
    private static final int LEAST_FUTURES = 2;

    private static final double SAME = 1e-9;

    private final BidRanking ranking;
    private final ExpertIteration settings;
    private final ForkableWorld world;

    /** @param network of the policy; its weights must not change meanwhile */
    ArmTrials(BidNetwork network, ExpertIteration settings, ForkableWorld world) {
        ranking = new BidRanking(network);
        this.settings = settings;
        this.world = world;
    }

    /** @param random draws the futures */
    LabelledDecision label(DecisionPoint point, RandomGenerator random) {
        Auction auction = point.auctioneer().open();
        ranking.rank(auction, point.auctioneer().mayWait());
        int[] arms = ranking.best(settings.arms());
        double[] probabilities = ranking.probabilities();
        FutureDraw futures = new FutureDraw(point.workload(), point.simulator().view());
        double[][] costs = new double[settings.futures()][];
        int played = 0;
        boolean matters = false;
        while (played < settings.futures() && (matters || played < LEAST_FUTURES)) {
            costs[played] = costs(point, arms, futures.draw(random));
            matters |= differ(costs[played++]);
        }
        return LabelledDecision.of(
                auction, point.auctioneer().mayWait(), probabilities, arms, new ArmCosts(Arrays.copyOf(costs, played)));
    }

    private double[] costs(DecisionPoint point, int[] arms, Workload future) {
        double[] costs = new double[arms.length];
        for (int arm = 0; arm < arms.length; arm++) {
            Simulator fork = world.fork(point.simulator(), future);
            costs[arm] = new GreedyPlay(future, fork, point.auctioneer().fork(fork.view()), ranking)
                    .costOf(arms[arm], settings.horizonHours(), settings.backlogPrice());
        }
        return costs;
    }

    private static boolean differ(double[] costs) {
        for (double cost : costs) {
            if (Math.abs(cost - costs[0]) > SAME * Math.max(1, Math.abs(cost))) {
                return true;
            }
        }
        return false;
    }
}
