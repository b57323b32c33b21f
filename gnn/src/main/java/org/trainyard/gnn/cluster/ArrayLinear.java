package org.trainyard.gnn.cluster;

import java.util.Arrays;

/** A linear layer over plain arrays, with the weights by input, so that an input of 0 costs nothing. */
final class ArrayLinear {
    private final int in;
    private final int out;
    private final float[] weight;
    private final float[] bias;

    /**
     * Reads a layer.
     *
     * @param weights matrix {@code [out, in]}, then the biases if it has any
     */
    ArrayLinear(float[] weights, int at, int in, int out, boolean hasBias) {
        this.in = in;
        this.out = out;
        weight = new float[in * out];
        for (int o = 0; o < out; o++) {
            for (int i = 0; i < in; i++) {
                weight[i * out + o] = weights[at + o * in + i];
            }
        }
        bias = hasBias ? Arrays.copyOfRange(weights, at + in * out, at + in * out + out) : new float[out];
    }

    /** Writes the layer's output. */
    void apply(float[] x, int from, float[] y, int to) {
        System.arraycopy(bias, 0, y, to, out);
        add(x, from, 0, in, y, to);
    }

    /**
     * Writes the output with negative values set to 0 (ReLU) for an input of which the last values are in another
     * array.
     */
    void applyRelu(float[] x, int from, float[] further, float[] y, int to) {
        System.arraycopy(bias, 0, y, to, out);
        add(x, from, 0, in - further.length, y, to);
        add(further, 0, in - further.length, further.length, y, to);
        rectify(y, to);
    }

    private void add(float[] x, int from, int first, int count, float[] y, int to) {
        for (int i = 0; i < count; i++) {
            float value = x[from + i];
            if (value != 0) {
                int row = (first + i) * out;
                for (int o = 0; o < out; o++) {
                    y[to + o] += value * weight[row + o];
                }
            }
        }
    }

    /** Writes the layer's output with negative values set to 0 (ReLU). */
    void applyRelu(float[] x, int from, float[] y, int to) {
        apply(x, from, y, to);
        rectify(y, to);
    }

    private void rectify(float[] y, int to) {
        for (int o = to; o < to + out; o++) {
            y[o] = Math.max(0, y[o]);
        }
    }
}
