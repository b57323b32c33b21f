package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.core.Linear;
import org.jspecify.annotations.Nullable;
import org.trainyard.gnn.onnx.OnnxValue;

/** A linear layer over the last axis. */
public final class LinearLayer {
    /** He gain: keeps the variance of activations through a ReLU. */
    public static final double BEFORE_RELU = Math.sqrt(2);

    private final NDArray weight;
    private final @Nullable NDArray bias;

    private LinearLayer(NDArray weight, @Nullable NDArray bias) {
        this.weight = weight;
        this.bias = bias;
    }

    public static LinearLayer of(Parameters parameters, String name, int in, int out) {
        return of(parameters, name, in, out, BEFORE_RELU, 0);
    }

    /**
     * @param gain of the initial weights, see {@link Parameters#matrix}
     * @param bias initial value of all biases
     */
    public static LinearLayer of(Parameters parameters, String name, int in, int out, double gain, float bias) {
        return new LinearLayer(
                parameters.matrix(name + ".weight", out, in, gain), parameters.vector(name + ".bias", out, bias));
    }

    /** A layer without bias: a term of a sum in which another layer has it, or one that maps zero to zero. */
    public static LinearLayer withoutBias(Parameters parameters, String name, int in, int out) {
        return new LinearLayer(parameters.matrix(name + ".weight", out, in, BEFORE_RELU), null);
    }

    public NDArray apply(NDArray x) {
        return Linear.linear(x, weight, bias).singletonOrThrow();
    }

    public NDArray applyRelu(NDArray x) {
        return Tensors.relu(apply(x));
    }

    /** {@link #apply} as nodes of a graph. */
    public OnnxValue export(OnnxValue x) {
        OnnxValue product = x.matMul(Tensors.export(weight, x.graph()).transpose());
        return bias == null ? product : product.plus(Tensors.export(bias, x.graph()));
    }
}
