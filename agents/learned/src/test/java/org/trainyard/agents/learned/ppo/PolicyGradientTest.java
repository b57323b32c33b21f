package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.auction.BidEncoder;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.decentralised.Arrival;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.gnn.cluster.ClusterEncoder;

class PolicyGradientTest {
    private static final float STEP = 2e-3f;
    private static final double BONUS = 0.05;

    private static EpisodeRecord play(BidPolicy policy, long seed) {
        EpisodeRecord record = new EpisodeRecord();
        Simulator simulator = AuctionWorlds.simulator(1);
        new EpisodePlayer(
                        policy, new JctReward(), AuctionWorlds.settings(1, 0.01).schedule())
                .play(
                        simulator,
                        policy.auctioneer(simulator.view(), AuctionWorlds.deployment()),
                        RandomStreams.stream(seed, "test/play"),
                        record);
        return record;
    }

    /** An episode on servers with different interiors. */
    private static EpisodeRecord playMixed(BidPolicy policy, long seed) {
        EpisodeRecord record = new EpisodeRecord();
        Topology topology = LearnedWorlds.mixedInteriors();
        Simulator simulator = LearnedWorlds.world(topology).simulator(LearnedWorlds.random(1, 40));
        Deployment deployment = new Deployment(topology, Domains.racks(topology), false, LearnedWorlds.BELIEF);
        new EpisodePlayer(
                        policy, new JctReward(), AuctionWorlds.settings(1, 0.01).schedule())
                .play(
                        simulator,
                        policy.auctioneer(simulator.view(), deployment),
                        RandomStreams.stream(seed, "test/play"),
                        record);
        return record;
    }

    private static Auctions batch(List<EpisodeRecord> records) {
        return new Auctions(
                records,
                new Advantages(records, AuctionWorlds.schedule(2, 10, null, true, false), CostToGo.stateValue())::of);
    }

    private static PolicyGradient gradient(BidPolicy policy) {
        return new PolicyGradient(policy, new PpoLoss(1, BONUS), Device.cpu());
    }

    /** The objective of all auctions by the present weights; the gradient is computed beside it. */
    private static double objective(PolicyGradient gradient, Auctions auctions) {
        gradient.compute(auctions, 0, auctions.size());
        return gradient.figures()[0] + BONUS * gradient.figures()[2];
    }

    /** Compares the gradient by a group of weights with finite differences of the objective. */
    private static void compare(BidPolicy policy, int group, Auctions auctions, float step, int weights) {
        float[] own = PolicyGradient.weights(policy).get(group);
        try (PolicyGradient gradient = gradient(policy)) {
            objective(gradient, auctions);
            float[] slopes = new float[own.length];
            gradient.takeGradient(group, slopes);
            RandomGenerator random = RandomStreams.stream(1, "test/weights");
            double squares = 0;
            double errors = 0;
            for (int i = 0; i < weights; i++) {
                int w = random.nextInt(slopes.length);
                float kept = own[w];
                own[w] = kept + step;
                policy.changed();
                double above = objective(gradient, auctions);
                own[w] = kept - step;
                policy.changed();
                double below = objective(gradient, auctions);
                own[w] = kept;
                policy.changed();
                double slope = (above - below) / (2 * step);
                squares += slope * slope;
                errors += Math.pow(slopes[w] - slope, 2);
            }
            assertThat(squares).isGreaterThan(1e-2);
            assertThat(errors).isLessThan(1e-2 * squares);
        }
    }

    /** The policy that played finds the probabilities with which it drew. */
    private static void findsProbabilities(BidPolicy policy, List<EpisodeRecord> records) {
        Auctions auctions = batch(records);
        try (PolicyGradient gradient = gradient(policy)) {
            objective(gradient, auctions);
            assertThat(gradient.figures()[1] / auctions.size()).isCloseTo(0, within(1e-7));
            assertThat(gradient.figures()[3]).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_gradient_is_that_of_finite_differences_of_the_objective(ClusterEncoder.Kind kind) {
        BidPolicy policy = AuctionWorlds.policyWith(BidEncoder.random(kind, 4, 1, null, 3));
        Auctions auctions = batch(List.of(play(policy, 1), play(policy, 2)));
        compare(policy, 0, auctions, STEP, 120);
        compare(policy, 1, auctions, STEP, 120);
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_gradient_finds_the_probabilities_with_which_bids_were_drawn(ClusterEncoder.Kind kind) {
        BidPolicy policy = AuctionWorlds.policyWith(BidEncoder.random(kind, 8, 2, null, 5));
        findsProbabilities(policy, List.of(play(policy, 1), play(policy, 2)));
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_gradient_inside_servers_is_that_of_finite_differences_of_the_objective(ClusterEncoder.Kind kind) {
        BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 4, 1, AuctionWorlds.inside(kind), 3);
        BidPolicy policy = AuctionWorlds.policyWith(encoder);
        Auctions auctions = batch(List.of(playMixed(policy, 1), playMixed(policy, 2)));
        compare(policy, PolicyGradient.INSIDE, auctions, STEP / 4, 60);
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_gradient_finds_the_probabilities_with_which_bids_for_sets_of_gpus_were_drawn(ClusterEncoder.Kind kind) {
        BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 8, 2, AuctionWorlds.inside(kind), 5);
        BidPolicy policy = AuctionWorlds.policyWith(encoder);
        findsProbabilities(policy, List.of(playMixed(policy, 1), playMixed(policy, 2)));
    }

    /** Each agent has a graph of its own; those of domains of different sizes have different trees. */
    @Test
    void the_gradient_finds_the_probabilities_with_which_agents_that_decide_apart_drew() {
        BidEncoder encoder = BidEncoder.random(
                ClusterEncoder.Kind.HIERARCHICAL, 8, 2, AuctionWorlds.inside(ClusterEncoder.Kind.HIERARCHICAL), 5);
        BidPolicy policy = AuctionWorlds.policyWith(encoder);
        Topology topology = Topology.uniform("three", Fabric.DEFAULT, 1, 3, ServerSpec.ofV100(4), 1);
        Deployment apart = new Deployment(topology, Domains.even(topology, 2), false, LearnedWorlds.BELIEF)
                .apart(new DecentralisedSettings(10, true, Arrival.HASH, 2), DecentralisedAgents.Workers.SEQUENTIAL);
        List<EpisodeRecord> records = IntStream.range(1, 3)
                .mapToObj(seed -> {
                    EpisodeRecord record = new EpisodeRecord();
                    Simulator simulator = LearnedWorlds.world(topology).simulator(LearnedWorlds.random(seed, 40));
                    new EpisodePlayer(
                                    policy,
                                    new JctReward(),
                                    AuctionWorlds.settings(1, 0.01).schedule())
                            .play(simulator, apart, RandomStreams.stream(seed, "test/play"), record);
                    return record;
                })
                .toList();
        findsProbabilities(policy, records);
    }
}
