package org.trainyard.agents.learned.dqn;

import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidNetwork;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.AuctionGame;
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
        AuctionGame game = new AuctionGame(reward.get(), tauHours);
        game.begin(simulator, policy.auctioneer(simulator.view(), deployment), curve);
        Chooser chooser = new Chooser(policy.network());
        while (!game.isOver()) {
            int legal = game.firstLegal();
            boolean explores = random.nextDouble() < epsilon;
            game.play(
                    explores
                            ? legal + random.nextInt(game.auction().size() - legal)
                            : chooser.best(game.auction(), legal));
        }
    }

    /** Chooses the bid of the highest score, the first of equals. */
    private static final class Chooser {
        private final BidNetwork network;
        private final float[] scratch;
        private float[] scores = new float[64];

        Chooser(BidNetwork network) {
            this.network = network;
            scratch = new float[network.hidden()];
        }

        int best(Auction auction, int firstLegal) {
            scores = scores.length < auction.size() ? new float[2 * auction.size()] : scores;
            network.score(auction, new float[0], scores, scratch);
            int best = firstLegal;
            for (int bid = firstLegal + 1; bid < auction.size(); bid++) {
                best = scores[bid] > scores[best] ? bid : best;
            }
            return best;
        }
    }
}
