package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.agents.learned.inside.InsideAscent;
import org.trainyard.agents.learned.inside.InsideLevel;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topology;
import org.trainyard.gnn.cluster.ClusterEncoder;

class EncoderGradientTest {
    private static final float STEP = 2e-3f;
    private static final double BONUS = 0.05;

    private static EpisodeRecord play(BidPolicy policy, long seed) {
        EpisodeRecord record = new EpisodeRecord();
        Simulator simulator = AuctionWorlds.simulator(1);
        new EpisodePlayer(policy, new JctReward(), AuctionWorlds.settings(1, 0.01))
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
        Deployment deployment = new Deployment(topology, Domains.racks(topology), true, LearnedWorlds.BELIEF);
        new EpisodePlayer(policy, new JctReward(), AuctionWorlds.settings(1, 0.01))
                .play(
                        simulator,
                        policy.auctioneer(simulator.view(), deployment),
                        RandomStreams.stream(seed, "test/play"),
                        record);
        return record;
    }

    private static AuctionBatch batch(List<EpisodeRecord> records) {
        return new AuctionBatch(
                records, new GroupAdvantages(records, 2, 10, null, CostToGo.stateValue(), true, false)::of);
    }

    /** The objective of all auctions, and what {@code gradient} computes beside it. */
    private static double objective(EncoderGradient gradient, BidPolicy policy, AuctionBatch batch) {
        BidGradient bids = new BidGradient(policy.network(), 1e9, BONUS);
        bids.begin(batch.columns(policy.network()));
        gradient.compute(batch, 0, batch.size(), bids);
        return bids.sums().surrogate + BONUS * bids.sums().entropy;
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_gradient_is_that_of_finite_differences_of_the_objective(ClusterEncoder.Kind kind) {
        BidEncoder encoder = BidEncoder.random(kind, 4, 1, 3);
        BidPolicy policy = AuctionWorlds.policyWith(encoder);
        List<EpisodeRecord> records = List.of(play(policy, 1), play(policy, 2));
        AuctionBatch batch = batch(records);
        EncoderGradient gradient = new EncoderGradient(encoder);
        objective(gradient, policy, batch);
        float[] slopes = new float[encoder.weights().length];
        gradient.addTo(slopes, 1);

        RandomGenerator random = RandomStreams.stream(1, "test/weights");
        double squares = 0;
        double errors = 0;
        for (int i = 0; i < 240; i++) {
            int w = random.nextInt(slopes.length);
            float kept = encoder.weights()[w];
            encoder.weights()[w] = kept + STEP;
            double above = objective(gradient, policy, batch);
            encoder.weights()[w] = kept - STEP;
            double below = objective(gradient, policy, batch);
            encoder.weights()[w] = kept;
            double slope = (above - below) / (2 * STEP);
            assertThat((double) slopes[w]).as("weight %d", w).isCloseTo(slope, within(0.02 + 0.02 * Math.abs(slope)));
            squares += slope * slope;
            errors += Math.pow(slopes[w] - slope, 2);
        }
        assertThat(squares).isGreaterThan(1e-2);
        assertThat(errors).isLessThan(5e-3 * squares);
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_gradient_finds_the_probabilities_with_which_bids_were_drawn(ClusterEncoder.Kind kind) {
        BidPolicy policy = AuctionWorlds.policyWith(BidEncoder.random(kind, 8, 2, 5));
        List<EpisodeRecord> records = List.of(play(policy, 1), play(policy, 2));
        AuctionBatch batch = batch(records);
        BidGradient bids = new BidGradient(policy.network(), 0.2, 0);
        bids.begin(batch.columns(policy.network()));
        new EncoderGradient(Objects.requireNonNull(policy.encoder())).compute(batch, 0, batch.size(), bids);
        assertThat(bids.sums().kl / batch.size()).isCloseTo(0, within(1e-8));
        assertThat(bids.sums().clipped).isZero();
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_gradient_inside_servers_is_that_of_finite_differences_of_the_objective(ClusterEncoder.Kind kind) {
        InsideLevel inside = AuctionWorlds.inside(kind);
        BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 4, 1, inside, 3);
        BidPolicy policy = AuctionWorlds.policyWith(encoder);
        AuctionBatch batch = batch(List.of(playMixed(policy, 1), playMixed(policy, 2)));
        EncoderGradient gradient = new EncoderGradient(encoder);
        try (InsideAscent ascent = new InsideAscent(inside)) {
            objective(gradient, policy, batch);
            float[] slopes =
                    ascent.gradient(Objects.requireNonNull(gradient.ofSets())).clone();
            RandomGenerator random = RandomStreams.stream(1, "test/weights");
            double squares = 0;
            double errors = 0;
            for (int i = 0; i < 60; i++) {
                int w = random.nextInt(slopes.length);
                double slope = (moved(inside, w, STEP / 4, gradient, policy, batch)
                                - moved(inside, w, -STEP / 4, gradient, policy, batch))
                        / (STEP / 2);
                squares += slope * slope;
                errors += Math.pow(slopes[w] - slope, 2);
            }
            assertThat(squares).isGreaterThan(1e-2);
            assertThat(errors).isLessThan(5e-3 * squares);
        }
    }

    /** The objective with a weight inside servers changed. */
    private static double moved(
            InsideLevel inside, int weight, float by, EncoderGradient gradient, BidPolicy policy, AuctionBatch batch) {
        float kept = inside.weights()[weight];
        inside.weights()[weight] = kept + by;
        inside.changed();
        double objective = objective(gradient, policy, batch);
        inside.weights()[weight] = kept;
        inside.changed();
        return objective;
    }

    @ParameterizedTest
    @EnumSource(ClusterEncoder.Kind.class)
    void the_gradient_finds_the_probabilities_with_which_bids_for_sets_of_gpus_were_drawn(ClusterEncoder.Kind kind) {
        BidEncoder encoder = BidEncoder.random(ClusterEncoder.Kind.HIERARCHICAL, 8, 2, AuctionWorlds.inside(kind), 5);
        BidPolicy policy = AuctionWorlds.policyWith(encoder);
        AuctionBatch batch = batch(List.of(playMixed(policy, 1), playMixed(policy, 2)));
        BidGradient bids = new BidGradient(policy.network(), 0.2, 0);
        bids.begin(batch.columns(policy.network()));
        new EncoderGradient(encoder).compute(batch, 0, batch.size(), bids);
        assertThat(bids.sums().kl / batch.size()).isCloseTo(0, within(1e-8));
        assertThat(bids.sums().clipped).isZero();
    }
}
