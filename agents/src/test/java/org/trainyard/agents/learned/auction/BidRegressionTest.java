package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidKind;

class BidRegressionTest {
    private static double divergence(BidNetwork network, EpisodeRecord record, double[] target) {
        BidGradient loss = new BidGradient(network, 1, 0);
        loss.addTarget(record, 0, target);
        return loss.sums().kl;
    }

    private static double[] target(RandomGenerator random, int bids, int first) {
        double[] target = new double[bids];
        double sum = 0;
        for (int bid = first; bid < bids; bid++) {
            target[bid] = bid == first ? 0 : random.nextDouble();
            sum += target[bid];
        }
        for (int bid = first; bid < bids; bid++) {
            target[bid] /= sum;
        }
        return target;
    }

    @Test
    void the_gradient_towards_a_target_is_that_of_finite_differences() {
        RandomGenerator random = RandomStreams.stream(3, "test/target");
        for (int bids = 3; bids < 8; bids++) {
            boolean mayWait = bids % 2 == 0;
            EpisodeRecord record = RandomRecords.auction(random, bids, mayWait);
            double[] target = target(random, bids, mayWait ? 0 : 1);
            BidNetwork network = InitialBids.random(5, random);
            float[] weights = network.weights();
            BidGradient exact = new BidGradient(network, 1, 0);
            exact.addTarget(record, 0, target);
            float[] gradient = new float[weights.length];
            exact.addTo(gradient, 1);
            int checked = 0;
            for (int kind = 0; kind < BidKind.COUNT; kind++) {
                int bias = kind * (weights.length / BidKind.COUNT);
                // The bias and some linear weights: there are no kinks in between.
                for (int w = bias; w < bias + 8; w++) {
                    float before = weights[w];
                    weights[w] = before + 1e-2f;
                    double above = divergence(network, record, target);
                    weights[w] = before - 1e-2f;
                    double below = divergence(network, record, target);
                    weights[w] = before;
                    assertThat((below - above) / 2e-2).as("weight %d", w).isCloseTo(gradient[w], within(3e-3));
                    checked += gradient[w] != 0 ? 1 : 0;
                }
            }
            assertThat(checked).isPositive();
        }
    }
}
