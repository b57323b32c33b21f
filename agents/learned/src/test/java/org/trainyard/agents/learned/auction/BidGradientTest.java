package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.ForSeeds;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.InitialBids;
import org.trainyard.agents.learned.training.StateValue;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

class BidGradientTest {
    private static final double BONUS = 0.05;

    private static BidGradient of(BidNetwork network, EpisodeRecord record, float advantage, double clip) {
        BidGradient gradient = new BidGradient(network, clip, BONUS);
        AuctionBatch batch = new AuctionBatch(List.of(record), episode -> new float[] {advantage});
        gradient.begin(batch.columns(network));
        gradient.addAll(batch, 0, 1, null);
        return gradient;
    }

    private static double objective(BidNetwork network, EpisodeRecord record, float advantage) {
        BidGradient.Sums sums = of(network, record, advantage, 1e9).sums();
        return sums.surrogate + BONUS * sums.entropy;
    }

    @ForSeeds
    void the_gradient_is_that_of_finite_differences_of_the_objective(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/gradient");
        BidNetwork network = InitialBids.random(3, random);
        EpisodeRecord record = RandomRecords.auction(random, 2 + random.nextInt(6), random.nextBoolean());
        float advantage = (float) random.nextGaussian();
        float[] gradient = new float[network.weights().length];
        of(network, record, advantage, 1e9).addTo(gradient, 1);

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
    void auctions_together_have_the_gradient_of_one_after_another_bit_for_bit(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/together");
        BidNetwork network = InitialBids.random(random.nextInt(20), random);
        network.ignore(Set.of(BidColumn.WAITED));
        List<EpisodeRecord> records = Stream.generate(
                        () -> RandomRecords.auction(random, 2 + random.nextInt(200), random.nextBoolean()))
                .limit(24)
                .toList();
        AuctionBatch batch =
                new AuctionBatch(records, new GroupAdvantages(records, 2, 1, null, new StateValue(), true, false)::of);
        BidGradient oneByOne = new BidGradient(network, 0.2, BONUS);
        BidGradient together = new BidGradient(network, 0.2, BONUS);
        oneByOne.begin(batch.columns(network));
        together.begin(batch.columns(network));

        for (int i = 0; i < batch.size(); i++) {
            oneByOne.addAll(batch, i, i + 1, null);
        }
        together.addAll(batch, 0, batch.size(), null);

        assertThat(of(network, together)).isEqualTo(of(network, oneByOne));
        assertThat(together.sums()).usingRecursiveComparison().isEqualTo(oneByOne.sums());
        together.clear();
        assertThat(of(network, together)).containsOnly(0);
    }

    private static float[] of(BidNetwork network, BidGradient gradient) {
        float[] all = new float[network.weights().length];
        gradient.addTo(all, 1);
        return all;
    }

    @Test
    void a_clipped_auction_moves_by_the_entropy_alone() {
        RandomGenerator random = RandomStreams.stream(1, "test/clip");
        BidNetwork network = InitialBids.random(3, random);
        EpisodeRecord record = RandomRecords.auction(random, 4, true);
        record.logProbability[0] = -20;

        BidGradient good = of(network, record, 1, 0.2);
        BidGradient bad = of(network, record, -1, 0.2);
        BidGradient indifferent = of(network, record, 0, 0.2);

        assertThat(good.sums().clipped).isEqualTo(1);
        assertThat(good.sums().surrogate).isCloseTo(1.2, within(1e-12));
        assertThat(bad.sums().clipped).isZero();
        float[] clipped = new float[network.weights().length];
        float[] entropy = new float[network.weights().length];
        good.addTo(clipped, 1);
        indifferent.addTo(entropy, 1);
        assertThat(clipped).isEqualTo(entropy);
    }

    @Test
    void figures_of_an_unchanged_policy_have_no_divergence() {
        RandomGenerator random = RandomStreams.stream(2, "test/unchanged");
        EpisodeRecord record = RandomRecords.auction(random, 4, true);
        BidGradient.Sums sums = of(new BidNetwork(2), record, 1, 0.2).sums();

        assertThat(sums.kl).isCloseTo(0, within(1e-9));
        assertThat(sums.entropy).isCloseTo(Math.log(4), within(1e-9));
        assertThat(sums.surrogate).isCloseTo(1, within(1e-6));
    }
}
