package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.gnn.ArraySums;

/**
 * The values of many states at once by a network of two hidden layers, and the gradient by its weights; plain arrays by
 * unit and state.
 */
final class StateNetwork {
    private static final int FIGURES = ClusterFigures.COUNT;
    /** He gain: keeps the variance of activations through rectified units. */
    private static final double GAIN = Math.sqrt(2);

    private final int most;
    private final float[] weights;
    private final float[] gradient;
    private final Layer first;
    private final Layer second;
    private final Layer last;
    private int states;

    /** Inputs and outputs of a layer, whose weights are by output and input, and the biases behind them. */
    private final class Layer {
        private final int in;
        private final int out;
        private final int at;
        /** By input and state, and by state and input with a last one that is 1. */
        private final float[][] byInput;

        private final float[][] byState;
        /** By output and state: its value, then the slope by it. */
        private final float[][] outputs;

        private final float[] sums;

        Layer(float[][] byInput, int out, int at) {
            in = byInput.length;
            this.out = out;
            this.at = at;
            this.byInput = byInput;
            byState = new float[most][in + 1];
            outputs = new float[out][most];
            sums = new float[in + 1];
        }

        /** Where the weights of the next layer begin. */
        int end() {
            return at + out * (in + 1);
        }

        void forward(boolean rectifies) {
            for (int o = 0; o < out; o++) {
                Arrays.fill(outputs[o], 0, states, weights[at + out * in + o]);
                ArraySums.add(outputs[o], states, byInput, 0, in, weights, at + o * in, 1);
                for (int s = 0; s < states && rectifies; s++) {
                    outputs[o][s] = Math.max(outputs[o][s], 0);
                }
            }
        }

        /** Adds to the gradient by the slopes. */
        void addGradient() {
            for (int s = 0; s < states; s++) {
                for (int i = 0; i < in; i++) {
                    byState[s][i] = byInput[i][s];
                }
                byState[s][in] = 1;
            }
            for (int o = 0; o < out; o++) {
                Arrays.fill(sums, 0);
                ArraySums.add(sums, in + 1, byState, 0, states, outputs[o], 0, 1);
                for (int i = 0; i < in; i++) {
                    gradient[at + o * in + i] += sums[i];
                }
                gradient[at + out * in + o] += sums[in];
            }
        }

        /** Makes slopes of its inputs, which are rectified. */
        void backward(float[] slopes) {
            for (int i = 0; i < in; i++) {
                Arrays.fill(slopes, 0, states, 0);
                ArraySums.add(slopes, states, outputs, 0, out, weights, at + i, in);
                float[] input = byInput[i];
                for (int s = 0; s < states; s++) {
                    input[s] = input[s] > 0 ? slopes[s] : 0;
                }
            }
        }
    }

    /**
     * @param weights of {@link #weights}; they may change
     * @param most states at once
     */
    StateNetwork(int hidden, float[] weights, int most) {
        this.most = most;
        this.weights = weights;
        gradient = new float[weights.length];
        first = new Layer(new float[FIGURES][most], hidden, 0);
        second = new Layer(first.outputs, hidden, first.end());
        last = new Layer(second.outputs, 1, second.end());
    }

    /** Random weights, of which the last layer's are 0. */
    static float[] weights(int hidden, long seed) {
        int secondAt = hidden * (FIGURES + 1);
        int lastAt = secondAt + hidden * (hidden + 1);
        float[] weights = new float[lastAt + hidden + 1];
        draw(weights, 0, hidden * FIGURES, FIGURES, RandomStreams.stream(seed, "parameters/critic.first.weight"));
        draw(weights, secondAt, hidden * hidden, hidden, RandomStreams.stream(seed, "parameters/critic.second.weight"));
        return weights;
    }

    private static void draw(float[] weights, int at, int count, int in, RandomGenerator random) {
        for (int w = at; w < at + count; w++) {
            weights[w] = (float) (random.nextGaussian() * GAIN / Math.sqrt(in));
        }
    }

    /** Forgets the states. */
    void clear() {
        states = 0;
    }

    /** Adds a state, whose features begin at a place. */
    void add(float[] features, int at) {
        for (int f = 0; f < FIGURES; f++) {
            first.byInput[f][states] = features[at + f];
        }
        states++;
    }

    /** The values of the states, which may be overwritten by slopes. */
    float[] values() {
        first.forward(true);
        second.forward(true);
        last.forward(false);
        return last.outputs[0];
    }

    /** The gradient by the weights of the sum of the values, each times the slope that has overwritten it. */
    float[] gradient() {
        Arrays.fill(gradient, 0);
        float[] slopes = new float[states];
        last.addGradient();
        last.backward(slopes);
        second.addGradient();
        second.backward(slopes);
        first.addGradient();
        return gradient;
    }
}
