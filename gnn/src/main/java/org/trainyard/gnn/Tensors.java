package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import org.trainyard.gnn.onnx.OnnxGraph;
import org.trainyard.gnn.onnx.OnnxValue;

/** Tensor operations that the networks need and DJL lacks. */
public final class Tensors {
    private static final Shape ONE = new Shape(1);

    private Tensors() {}

    /**
     * Maximum along an axis, which is kept. Equal maxima share the gradient. Many times faster, forward and backward,
     * than the engine's own, which also finds positions: compares halves without gradients, then takes the mean of the
     * entries equal to the maximum.
     */
    public static NDArray max(NDArray x, int axis) {
        if (x.getShape().get(axis) == 1) {
            return x;
        }
        NDArray constant = x.stopGradient();
        NDArray most = constant;
        for (long left = x.getShape().get(axis); left > 1; left = (left + 1) / 2) {
            NDList halves = most.split(new long[] {(left + 1) / 2}, axis);
            // With an odd number, the middle one is compared with itself.
            NDArray upper = left % 2 == 0
                    ? halves.get(1)
                    : most.split(new long[] {left / 2}, axis).get(1);
            most = halves.get(0).maximum(upper);
        }
        int[] axes = {axis};
        // One at a maximum, else zero: the sign of a difference is many times faster than a comparison.
        NDArray greatest = constant.sub(most).sign().addi(x.getManager().ones(ONE));
        return x.mul(greatest).sum(axes, true).div(greatest.sum(axes, true));
    }

    /**
     * A tensor of these values in the engine's own memory. What {@code create} returns lives in a Java buffer, which
     * the garbage collector may free, and which is not aligned, so that the last bits of a product would depend on its
     * address.
     */
    public static NDArray copyOf(float[] values, Shape shape, NDManager scope) {
        try (NDArray wrapped = scope.create(values, shape)) {
            return wrapped.duplicate();
        }
    }

    /** ReLU of a tensor, which is closed, so that its memory is free for the next one. */
    public static NDArray relu(NDArray x) {
        NDArray positive = Activation.relu(x);
        x.close();
        return positive;
    }

    /** A parameter as weights of a graph, by its name. */
    static OnnxValue export(NDArray parameter, OnnxGraph graph) {
        return graph.weights(
                parameter.getName(),
                parameter.toFloatArray(),
                parameter.getShape().getShape());
    }
}
