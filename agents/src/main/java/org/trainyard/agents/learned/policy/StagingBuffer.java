package org.trainyard.agents.learned.policy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Memory outside the heap through which floats become tensors without a second copy, and which no garbage collection frees.
 *
 * <p>A tensor made here reads this memory: it must be closed before the next one is filled in. The memory is aligned, because the last
 * bits of a sum depend on alignment.
 */
public final class StagingBuffer {
    private static final int ALIGNMENT = 64;

    private ByteBuffer memory = ByteBuffer.allocate(0);
    private FloatBuffer floats = memory.asFloatBuffer();

    /** A buffer for this many floats, at position 0. */
    public FloatBuffer fill(int size) {
        if (memory.capacity() < size * Float.BYTES) {
            memory = ByteBuffer.allocateDirect(size * Float.BYTES * 5 / 4 + 2 * ALIGNMENT)
                    .alignedSlice(ALIGNMENT)
                    .order(ByteOrder.nativeOrder());
            floats = memory.asFloatBuffer();
        }
        return floats.clear();
    }

    /** The first floats as a tensor. */
    public NDArray tensor(NDManager scope, long... shape) {
        Shape size = new Shape(shape);
        ByteBuffer part = memory.slice(0, Math.toIntExact(size.size() * Float.BYTES));
        return scope.create(part.order(ByteOrder.nativeOrder()), size, DataType.FLOAT32);
    }
}
