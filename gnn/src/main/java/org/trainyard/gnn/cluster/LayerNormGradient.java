package org.trainyard.gnn.cluster;

import java.util.Arrays;
import org.trainyard.gnn.ArrayProducts;

/** {@link org.trainyard.gnn.LayerNormLayer} over arrays by unit and node, and its derivatives; O(nodes x units). */
final class LayerNormGradient {
    private static final float EPSILON = 1e-5f;

    private final float[] weights;
    private final float[] gradient;
    private final int at;
    private final int units;
    /** By unit and node, the values without scale and shift; by node, the factor that made them. */
    private float[][] normal;

    private float[] factors = {};
    private float[] means = {};
    private float[] moments = {};

    /** Reads scales, then shifts at a place of all weights. */
    LayerNormGradient(float[] weights, float[] gradient, int at, int units) {
        this.weights = weights;
        this.gradient = gradient;
        this.at = at;
        this.units = units;
        normal = new float[units][0];
    }

    /** Normalises in place. */
    void forward(float[][] values, int size) {
        normal = NodeStates.room(normal, size);
        if (factors.length < size) {
            factors = new float[size + size / 4];
            means = new float[factors.length];
            moments = new float[factors.length];
        }
        Arrays.fill(means, 0, size, 0);
        Arrays.fill(factors, 0, size, 0);
        for (float[] ofUnit : values) {
            add(means, ofUnit, 1f / units, size);
        }
        for (float[] ofUnit : values) {
            addSquares(factors, ofUnit, means, size);
        }
        for (int i = 0; i < size; i++) {
            factors[i] = (float) (1 / Math.sqrt(factors[i] / units + EPSILON));
        }
        for (int u = 0; u < units; u++) {
            normalise(values[u], means, factors, normal[u], size);
            scale(normal[u], weights[at + u], weights[at + units + u], values[u], size);
        }
    }

    /** Makes slopes by what was normalised of those by the results, and adds to the gradient by scales and shifts. */
    void backward(float[][] slopes, int size) {
        Arrays.fill(means, 0, size, 0);
        Arrays.fill(moments, 0, size, 0);
        for (int u = 0; u < units; u++) {
            float shift = 0;
            for (int i = 0; i < size; i++) {
                shift += slopes[u][i];
            }
            gradient[at + units + u] += shift;
            gradient[at + u] += ArrayProducts.dot(slopes[u], normal[u], size);
            float scale = weights[at + u];
            multiply(slopes[u], scale, size);
            add(means, slopes[u], 1f / units, size);
            addProducts(moments, slopes[u], normal[u], 1f / units, size);
        }
        for (int u = 0; u < units; u++) {
            finish(slopes[u], normal[u], means, moments, factors, size);
        }
    }

    private static void add(float[] sums, float[] values, float factor, int size) {
        for (int i = 0; i < size; i++) {
            sums[i] += factor * values[i];
        }
    }

    private static void multiply(float[] values, float factor, int size) {
        for (int i = 0; i < size; i++) {
            values[i] *= factor;
        }
    }

    private static void addProducts(float[] sums, float[] a, float[] b, float factor, int size) {
        for (int i = 0; i < size; i++) {
            sums[i] += factor * a[i] * b[i];
        }
    }

    private static void addSquares(float[] sums, float[] values, float[] means, int size) {
        for (int i = 0; i < size; i++) {
            float x = values[i] - means[i];
            sums[i] += x * x;
        }
    }

    private static void normalise(float[] values, float[] means, float[] factors, float[] normal, int size) {
        for (int i = 0; i < size; i++) {
            normal[i] = (values[i] - means[i]) * factors[i];
        }
    }

    private static void scale(float[] normal, float scale, float shift, float[] values, int size) {
        for (int i = 0; i < size; i++) {
            values[i] = normal[i] * scale + shift;
        }
    }

    private static void finish(
            float[] slopes, float[] normal, float[] means, float[] moments, float[] factors, int size) {
        for (int i = 0; i < size; i++) {
            slopes[i] = factors[i] * (slopes[i] - means[i] - normal[i] * moments[i]);
        }
    }
}
