package org.trainyard.agents.learned.dqn;

import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.BidScorer;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.BiddingEnv;
import org.trainyard.env.gym.auction.Chooser;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Simulator;

/** Plays an episode several times by a policy that explores, without tensors. The mean cost of these plays says what the episode costs anyway. */
final class ReferencePlays {
    private final BidPolicy policy;
    private final Deployment deployment;
    private final Supplier<Reward> reward;
    private final double tauHours;
    private final int plays;
    private final WorkerPool pool;
    private final long seed;
    private double epsilon;

    /**
     * @param policy may change between two episodes
     * @param reward makes the reward of a play: rewards keep buffers, and plays may be parallel
     * @param plays of each episode
     * @param seed of exploration
     */
    ReferencePlays(
            BidPolicy policy,
            Deployment deployment,
            Supplier<Reward> reward,
            double tauHours,
            int plays,
            WorkerPool pool,
            long seed) {
        this.policy = policy;
        this.deployment = deployment;
        this.reward = reward;
        this.tauHours = tauHours;
        this.plays = plays;
        this.pool = pool;
        this.seed = seed;
    }

    /** Sets the part of the decisions that are drawn uniformly. */
    void explore(double newEpsilon) {
        epsilon = newEpsilon;
    }

    /** The costs of the plays of the episode of this number. */
    List<CostCurve> of(Supplier<Simulator> simulators, long episode) {
        List<CostCurve> curves =
                Stream.generate(() -> new CostCurve(tauHours)).limit(plays).toList();
        pool.each(
                plays,
                play -> play(
                        simulators.get(),
                        RandomStreams.stream(seed, "reference/%d/%d".formatted(episode, play)),
                        curves.get(play)));
        return curves;
    }

    private void play(Simulator simulator, RandomGenerator random, CostCurve curve) {
        BiddingEnv game = new BiddingEnv(reward.get(), tauHours);
        Auctioneer auctioneer = policy.auctioneer(simulator.view(), deployment);
        game.reset(simulator, auctioneer, curve);
        Chooser greedy = Chooser.greedy(new BidScorer(policy, auctioneer));
        while (!game.isOver()) {
            int legal = game.firstLegal();
            boolean explores = random.nextDouble() < epsilon;
            game.step(
                    explores
                            ? legal + random.nextInt(game.auction().size() - legal)
                            : greedy.choose(game.auction(), legal));
        }
    }
}
