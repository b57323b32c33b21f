package org.trainyard.agents.learned.dqn;

import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.BidScorer;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.ppo.CostToGo;
import org.trainyard.agents.learned.ppo.EpisodeRecord;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.auction.ClusterEnv;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Simulator;

/**
 * Plays of an episode by a policy that explores, without tensors. Their mean cost says what the episode costs anyway.
 *
 * @param policy may change between two episodes
 * @param reward makes the reward of a play: rewards keep buffers, and plays may be parallel
 * @param records of the plays of the present episode
 */
record ReferencePlays(
        BidPolicy policy,
        Deployment deployment,
        Supplier<Reward> reward,
        double discountHours,
        List<EpisodeRecord> records,
        WorkerPool pool,
        long seed) {
    static List<EpisodeRecord> records(int plays) {
        return Stream.generate(EpisodeRecord::new).limit(plays).toList();
    }

    /**
     * Plays an episode; returns the cost to go of each play.
     *
     * @param epsilon the part of the decisions that are drawn uniformly
     */
    List<CostToGo> play(Supplier<Simulator> simulators, long episode, double epsilon) {
        pool.each(
                records.size(),
                play -> play(
                        simulators.get(),
                        RandomStreams.stream(seed, "reference/%d/%d".formatted(episode, play)),
                        epsilon,
                        records.get(play)));
        return records.stream()
                .map(record -> new CostToGo(record, discountHours))
                .toList();
    }

    private void play(Simulator simulator, RandomGenerator random, double epsilon, EpisodeRecord record) {
        record.clear();
        ClusterEnv game = new ClusterEnv(reward.get(), discountHours);
        Auctioneer auctioneer = policy.auctioneer(simulator.view(), deployment);
        game.reset(simulator, auctioneer, record);
        BidScorer scorer = new BidScorer(policy, auctioneer);
        while (!game.isOver()) {
            int legal = game.firstLegal();
            boolean explores = random.nextDouble() < epsilon;
            game.step(
                    explores
                            ? legal + random.nextInt(game.auction().size() - legal)
                            : scorer.offer(game.auction(), legal).bid());
        }
    }
}
