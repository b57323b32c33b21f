package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.trainyard.env.InputException;

/** The few tensor operations the networks need and DJL does not have. */
public final class Tensors {
    private static final long[] FIRST = {1};
    private static final Shape ONE = new Shape(1);

    private Tensors() {}

    /** The column that says whether a thing is there: {@code [..., k, features] -> [..., k, 1]}. */
    public static NDArray exists(NDArray features) {
        return features.split(FIRST, features.getShape().dimension() - 1).get(0);
    }

    /** Mean of those that are there, zero when none is: {@code x} must be zero where {@code exists} is. The axis stays, of size 1. */
    public static NDArray mean(NDArray x, NDArray exists, int axis) {
        int[] axes = {axis};
        return x.sum(axes, true).div(exists.sum(axes, true).maximum(1));
    }

    /** Mean beside maximum along an axis, which stays; {@code x} must not be negative and zero where {@code exists} is. */
    public static NDArray meanAndMax(NDArray x, NDArray exists, int axis) {
        return mean(x, exists, axis).concat(max(x, axis), -1);
    }

    /**
     * Maximum along an axis, which stays. Equal ones share the gradient. Many times faster, forward and backward, than the engine's
     * own, which finds positions too: halves against each other without gradients, then a mean of those that are as great.
     */
    static NDArray max(NDArray x, int axis) {
        if (x.getShape().get(axis) == 1) {
            return x;
        }
        NDArray constant = x.stopGradient();
        NDArray most = constant;
        for (long left = x.getShape().get(axis); left > 1; left = (left + 1) / 2) {
            NDList halves = most.split(new long[] {(left + 1) / 2}, axis);
            // The one in the middle of an odd number meets itself.
            NDArray upper = left % 2 == 0
                    ? halves.get(1)
                    : most.split(new long[] {left / 2}, axis).get(1);
            most = halves.get(0).maximum(upper);
        }
        int[] axes = {axis};
        // One where nothing is greater, else zero: the sign of a difference is many times faster than a comparison.
        NDArray greatest = constant.sub(most).sign().addi(x.getManager().ones(ONE));
        return x.mul(greatest).sum(axes, true).div(greatest.sum(axes, true));
    }

    /**
     * A tensor of these values in memory of the engine's own: what {@code create} returns lives in a Java buffer, which the collector
     * may free and whose place, unlike the engine's, is not aligned, so that the last bits of a product hang on where it lies.
     */
    public static NDArray copyOf(float[] values, Shape shape, NDManager scope) {
        try (NDArray wrapped = scope.create(values, shape)) {
            return wrapped.duplicate();
        }
    }

    /** The last axis of all of them, side by side. */
    public static NDArray beside(NDArray first, NDArray... others) {
        return first.getNDArrayInternal().concat(new NDList(others), -1);
    }

    /** One after another along the first axis. */
    static NDArray along(NDArray first, NDArray... others) {
        return first.getNDArrayInternal().concat(new NDList(others), 0);
    }

    /** The positive part of a tensor that nobody needs any more: its memory is free for the next one. */
    static NDArray relu(NDArray x) {
        NDArray positive = Activation.relu(x);
        x.close();
        return positive;
    }

    /** Writes rank, sizes and little-endian floats. */
    public static void write(NDArray array, DataOutput out) throws IOException {
        long[] shape = array.getShape().getShape();
        out.writeInt(shape.length);
        for (long size : shape) {
            out.writeInt(Math.toIntExact(size));
        }
        float[] values = array.toFloatArray();
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        out.write(bytes.array());
    }

    /** Reads what {@link #write} wrote of a tensor of this shape. */
    public static float[] read(DataInput in, Shape expected, String place) throws IOException {
        long[] shape = new long[in.readInt()];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = in.readInt();
        }
        if (!new Shape(shape).equals(expected)) {
            throw InputException.at(place, new Shape(shape), "shape " + expected);
        }
        byte[] bytes = new byte[Math.toIntExact(4 * expected.size())];
        in.readFully(bytes);
        float[] values = new float[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }
}
