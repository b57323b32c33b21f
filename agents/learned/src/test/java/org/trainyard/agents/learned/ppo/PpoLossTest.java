package org.trainyard.agents.learned.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.learned.auction.AuctionWorlds;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.Autograd;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;
import org.trainyard.gnn.Parameters;

class PpoLossTest {
    private static final double BONUS = 0.05;

    private static PolicyGradient of(BidNetwork network, EpisodeRecord record, float advantage, double clip) {
        PolicyGradient gradient =
                new PolicyGradient(AuctionWorlds.policy(network), new PpoLoss(clip, BONUS), Device.cpu());
        gradient.compute(new Auctions(List.of(record), episode -> new float[] {advantage}), 0, 1);
        return gradient;
    }

    private static double objective(BidNetwork network, EpisodeRecord record, float advantage) {
        try (PolicyGradient gradient = of(network, record, advantage, 1)) {
            return gradient.figures()[0] + BONUS * gradient.figures()[2];
        }
    }

    private static float[] gradient(BidNetwork network, PolicyGradient of) {
        float[] gradient = new float[network.weights().length];
        of.takeGradient(0, gradient);
        return gradient;
    }

    @ForSeeds
    void the_gradient_is_that_of_finite_differences_of_the_objective(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/gradient");
        BidNetwork network = InitialBids.random(3, random);
        EpisodeRecord record = RandomRecords.auction(random, 2 + random.nextInt(6), random.nextBoolean());
        float advantage = (float) random.nextGaussian();
        float[] gradient;
        try (PolicyGradient computed = of(network, record, advantage, 1)) {
            gradient = gradient(network, computed);
        }

        float[] weights = network.weights();
        double biases = 0;
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            int bias = kind * (weights.length / BidKind.COUNT);
            for (int w = bias; w < bias + 8; w++) {
                float kept = weights[w];
                weights[w] = kept + 1e-2f;
                double above = objective(network, record, advantage);
                weights[w] = kept - 1e-2f;
                double below = objective(network, record, advantage);
                weights[w] = kept;
                assertThat((double) gradient[w]).as("weight %d", w).isCloseTo((above - below) / 2e-2, within(3e-3));
            }
            biases += gradient[bias];
        }
        assertThat(biases).as("a constant added to all scores changes nothing").isCloseTo(0, within(1e-5));
    }

    @ForSeeds
    void the_scores_in_tensors_are_those_of_acting(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/together");
        BidNetwork network = InitialBids.random(1 + random.nextInt(20), random);
        network.ignore(Set.of(BidColumn.WAITED));
        List<EpisodeRecord> records = Stream.generate(
                        () -> RandomRecords.auction(random, 2 + random.nextInt(200), random.nextBoolean()))
                .limit(24)
                .toList();
        Auctions auctions = new Auctions(records, episode -> new float[1]);
        Minibatch minibatch = new Minibatch(network);
        minibatch.fill(auctions, 0, auctions.size());
        try (Parameters parameters = new Parameters(0);
                NDManager scope = parameters.newScope()) {
            BidTensors tensors = new BidTensors(parameters, network);
            parameters.setValues(network.weights());
            float[] scores = tensors.scores(minibatch, null, scope).toFloatArray();
            for (int i = 0; i < auctions.size(); i++) {
                EpisodeRecord record = auctions.record(i);
                int legal = record.firstLegal[0];
                for (int bid = legal; bid < record.bids[0]; bid++) {
                    float acting = network.score(
                            record.kinds[bid], record.rows, bid, new float[0], 0, new float[network.hidden()], 0);
                    // An ignored column has the weight 0 in acting, and is not read in tensors.
                    assertThat(scores[minibatch.place(i, bid - legal)])
                            .isCloseTo(acting, within(1e-5f * Math.max(1, Math.abs(acting))));
                }
            }
        }
    }

    /** Number arguments of DJL's arithmetic lie in Java's memory, which the backward pass must not need. */
    @Test
    void a_garbage_collection_before_the_backward_pass_changes_no_gradient() throws InterruptedException {
        RandomGenerator random = RandomStreams.stream(1, "test/collected");
        BidNetwork network = InitialBids.random(3, random);
        Minibatch minibatch = new Minibatch(network);
        minibatch.fill(
                new Auctions(List.of(RandomRecords.auction(random, 40, true)), episode -> new float[] {1}), 0, 1);
        float[] scores = new float[minibatch.bids()];
        for (int bid = 0; bid < scores.length; bid++) {
            scores[bid] = (float) random.nextGaussian();
        }

        float[] straight = slopes(minibatch, scores, 0);

        for (int collections = 1; collections <= 5; collections++) {
            assertThat(slopes(minibatch, scores, collections)).containsExactly(straight);
        }
    }

    private static float[] slopes(Minibatch minibatch, float[] scores, int collections) throws InterruptedException {
        try (Parameters parameters = new Parameters(0);
                NDManager scope = parameters.newScope()) {
            NDArray of = parameters.vector("scores", scores.length, 0);
            parameters.setValues(scores);
            AtomicReference<NDArray> objective = new AtomicReference<>();
            Autograd.record(
                    true,
                    () -> objective.set(
                            new PpoLoss(0.2, BONUS).of(of, minibatch, scope).objective()));
            for (int i = 0; i < collections; i++) {
                System.gc();
                Thread.sleep(20);
                for (int size = 1; size <= 256; size++) {
                    ByteBuffer.allocateDirect(size).put(new byte[size]);
                }
            }
            Autograd.backwardFrom(objective.get(), scope.ones(objective.get().getShape()));
            float[] slopes = new float[scores.length];
            parameters.takeGradients(slopes);
            return slopes;
        }
    }

    @Test
    void columns_that_a_network_ignores_have_no_gradient() {
        RandomGenerator random = RandomStreams.stream(1, "test/ignored");
        BidNetwork network = InitialBids.random(3, random);
        EpisodeRecord record = RandomRecords.auction(random, 20, true);
        float[] all;
        try (PolicyGradient computed = of(network, record, 1, 0.2)) {
            all = gradient(network, computed);
        }
        network.ignore(BidColumn.ENGINEERED);
        float[] left;
        try (PolicyGradient computed = of(network, record, 1, 0.2)) {
            left = gradient(network, computed);
        }
        int column = network.layout().linearAt(BidKind.WAIT.index());
        int seen = 0;
        for (BidColumn each : BidColumn.values()) {
            boolean isIgnored = BidColumn.ENGINEERED.contains(each);
            seen += isIgnored && all[column + each.index()] != 0 ? 1 : 0;
            assertThat(left[column + each.index()] == 0 || !isIgnored).isTrue();
        }
        assertThat(seen).isPositive();
    }

    @Test
    void a_clipped_auction_moves_by_the_entropy_alone() {
        RandomGenerator random = RandomStreams.stream(1, "test/clip");
        BidNetwork network = InitialBids.random(3, random);
        EpisodeRecord record = RandomRecords.auction(random, 4, true);
        record.logProbability[0] = -20;

        try (PolicyGradient good = of(network, record, 1, 0.2);
                PolicyGradient bad = of(network, record, -1, 0.2);
                PolicyGradient indifferent = of(network, record, 0, 0.2)) {
            assertThat(good.figures()[3]).isEqualTo(1);
            assertThat(good.figures()[0]).isCloseTo(1.2, within(1e-6));
            assertThat(bad.figures()[3]).isZero();
            assertThat(gradient(network, good)).isEqualTo(gradient(network, indifferent));
        }
    }

    @Test
    void figures_of_an_unchanged_policy_have_no_divergence() {
        RandomGenerator random = RandomStreams.stream(2, "test/unchanged");
        EpisodeRecord record = RandomRecords.auction(random, 4, true);
        try (PolicyGradient gradient = of(new BidNetwork(2), record, 1, 0.2)) {
            assertThat(gradient.figures()[0]).isCloseTo(1, within(1e-6));
            assertThat(gradient.figures()[1]).isCloseTo(0, within(1e-6));
            assertThat(gradient.figures()[2]).isCloseTo(Math.log(4), within(1e-6));
        }
    }
}
