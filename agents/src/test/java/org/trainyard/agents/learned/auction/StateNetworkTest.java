package org.trainyard.agents.learned.auction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.trainyard.agents.ForSeeds;
import org.trainyard.env.RandomStreams;

class StateNetworkTest {
    private static final int FIGURES = ClusterFigures.COUNT;

    /** The sum of the values of states, each times its slope. */
    private static double objective(StateNetwork network, float[] states, float[] slopes) {
        float[] values = values(network, states);
        double sum = 0;
        for (int s = 0; s < slopes.length; s++) {
            sum += slopes[s] * values[s];
        }
        return sum;
    }

    private static float[] values(StateNetwork network, float[] states) {
        network.clear();
        for (int at = 0; at < states.length; at += FIGURES) {
            network.add(states, at);
        }
        return network.values();
    }

    @ForSeeds
    void the_gradient_is_that_of_finite_differences(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/states");
        int hidden = 1 + random.nextInt(9);
        float[] weights = StateNetwork.weights(hidden, seed);
        for (int w = 0; w < weights.length; w++) {
            weights[w] += (float) (0.3 * random.nextGaussian());
        }
        int count = 1 + random.nextInt(20);
        float[] states = new float[count * FIGURES];
        float[] slopes = new float[count];
        for (int i = 0; i < states.length; i++) {
            states[i] = random.nextFloat();
        }
        for (int s = 0; s < count; s++) {
            slopes[s] = (float) random.nextGaussian();
        }
        StateNetwork network = new StateNetwork(hidden, weights, count);
        System.arraycopy(slopes, 0, values(network, states), 0, count);
        float[] gradient = network.gradient().clone();

        double difference = 0;
        double size = 0;
        for (int w = 0; w < weights.length; w++) {
            float kept = weights[w];
            weights[w] = kept + 1e-3f;
            double above = objective(network, states, slopes);
            weights[w] = kept - 1e-3f;
            double below = objective(network, states, slopes);
            weights[w] = kept;
            difference += Math.abs(gradient[w] - (above - below) / 2e-3);
            size += Math.abs(gradient[w]);
        }
        // A unit may be rectified on one side alone.
        assertThat(difference).isCloseTo(0, within(0.1 * size + 1e-3));
        assertThat(Arrays.equals(gradient, new float[gradient.length])).isFalse();
    }
}
