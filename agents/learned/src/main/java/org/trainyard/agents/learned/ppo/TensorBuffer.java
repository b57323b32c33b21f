package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Native memory for a tensor that is filled anew for every minibatch; the tensor reads it in place, so it must not
 * change before the backward pass. Aligned, so that the last bits of products do not depend on the address.
 */
final class TensorBuffer {
    private static final int ALIGNED = 64;

    private ByteBuffer bytes = allocate(1024);
    private FloatBuffer floats = bytes.asFloatBuffer();

    private static ByteBuffer allocate(int values) {
        return ByteBuffer.allocateDirect(Float.BYTES * values + ALIGNED)
                .alignedSlice(ALIGNED)
                .order(ByteOrder.nativeOrder());
    }

    /** Makes room for so many values. */
    void begin(int values) {
        if (floats.capacity() < values) {
            bytes = allocate(values + values / 2);
            floats = bytes.asFloatBuffer();
        }
    }

    void put(int at, float[] from, int fromAt, int count) {
        floats.put(at, from, fromAt, count);
    }

    /** The first values as a tensor. */
    NDArray tensor(Shape shape, NDManager scope) {
        ByteBuffer used = bytes.duplicate().order(ByteOrder.nativeOrder());
        used.limit(Math.toIntExact(Float.BYTES * shape.size()));
        return scope.create(used, shape, DataType.FLOAT32);
    }
}
