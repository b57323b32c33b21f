package org.trainyard.gnn.cluster;

import org.trainyard.gnn.ArrayProducts;
import org.trainyard.gnn.ArraySums;

/**
 * A linear layer over arrays by unit and node, and its derivatives; the weights are {@code [out, in]} at a place of all
 * weights, then the biases if it has any. O(nodes x in x out) for each of the three passes.
 */
final class LinearGradient {
    private final float[] weights;
    private final float[] gradient;
    private final int at;
    private final int in;
    private final int out;
    private final boolean hasBias;

    /** @param gradient by all weights, which {@link #addGradient} adds to */
    LinearGradient(float[] weights, float[] gradient, int at, int in, int out, boolean hasBias) {
        this.weights = weights;
        this.gradient = gradient;
        this.at = at;
        this.in = in;
        this.out = out;
        this.hasBias = hasBias;
    }

    /** Where the weights of the next layer begin. */
    int end() {
        return at + out * in + (hasBias ? out : 0);
    }

    /** Writes the outputs. */
    void forward(float[][] x, int size, float[][] y) {
        for (int o = 0; o < out; o++) {
            float bias = hasBias ? weights[at + out * in + o] : 0;
            ArraySums.set(y[o], bias, size, x, in, weights, at + o * in, 1);
        }
    }

    /** Writes the outputs with negative values set to 0. */
    void forwardRelu(float[][] x, int size, float[][] y) {
        forward(x, size, y);
        for (float[] ofUnit : y) {
            rectify(ofUnit, size);
        }
    }

    private static void rectify(float[] values, int size) {
        for (int i = 0; i < size; i++) {
            values[i] = Math.max(values[i], 0);
        }
    }

    /** Sets slopes by rectified outputs to 0 where these are 0. */
    static void mask(float[][] slopes, float[][] outputs, int size) {
        for (int o = 0; o < slopes.length; o++) {
            mask(slopes[o], outputs[o], size);
        }
    }

    private static void mask(float[] slopes, float[] outputs, int size) {
        for (int i = 0; i < size; i++) {
            slopes[i] = outputs[i] > 0 ? slopes[i] : 0;
        }
    }

    /** Adds to the gradient by the weights. */
    void addGradient(float[][] bySlopes, float[][] x, int size) {
        ArrayProducts.add(bySlopes, out, x, in, size, gradient, at);
        for (int o = 0; o < out && hasBias; o++) {
            float sum = 0;
            for (int i = 0; i < size; i++) {
                sum += bySlopes[o][i];
            }
            gradient[at + out * in + o] += sum;
        }
    }

    /** Writes the slopes by the inputs. */
    void slopes(float[][] byOutputs, int size, float[][] byInputs) {
        for (int i = 0; i < in; i++) {
            ArraySums.set(byInputs[i], 0, size, byOutputs, out, weights, at + i, in);
        }
    }

    /** Adds to the slopes by the inputs. */
    void addSlopes(float[][] byOutputs, int size, float[][] byInputs) {
        for (int i = 0; i < in; i++) {
            ArraySums.add(byInputs[i], size, byOutputs, 0, out, weights, at + i, in);
        }
    }
}
