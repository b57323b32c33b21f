package org.trainyard.gnn.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.trainyard.env.Invalid;

/**
 * A named tensor with its elements: trained weights, or an input.
 *
 * @param data its elements in row-major order, little-endian
 */
public record TensorData(String name, ElementType type, List<Long> shape, ByteBuffer data) {
    public TensorData {
        shape = List.copyOf(shape);
        long bytes = type.bytes() * shape.stream().reduce(1L, Math::multiplyExact);
        Invalid.when(
                bytes != data.remaining(), "%s has (%d) bytes, its shape asks for (%d)", name, data.remaining(), bytes);
        data = data.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Data of floats {@code values[from ..]}, as many as the shape asks for. */
    public static TensorData ofPart(String name, float[] values, int from, long... shape) {
        int size = size(shape);
        ByteBuffer data = buffer(4 * size);
        data.asFloatBuffer().put(values, from, size);
        return new TensorData(name, ElementType.FLOAT, axes(shape), data);
    }

    /** Data of the first floats, as many as the shape asks for. */
    public static TensorData of(String name, float[] values, long... shape) {
        return ofPart(name, values, 0, shape);
    }

    /** Data of whole numbers. */
    public static TensorData of(String name, long[] values, long... shape) {
        ByteBuffer data = buffer(8 * values.length);
        data.asLongBuffer().put(values);
        return new TensorData(name, ElementType.LONG, axes(shape), data);
    }

    /** Data of truth values. */
    public static TensorData of(String name, boolean[] values, long... shape) {
        ByteBuffer data = buffer(values.length);
        for (int i = 0; i < values.length; i++) {
            data.put(i, (byte) (values[i] ? 1 : 0));
        }
        return new TensorData(name, ElementType.BOOL, axes(shape), data);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static List<Long> axes(long... shape) {
        return Arrays.stream(shape).boxed().toList();
    }

    private static int size(long... shape) {
        return Math.toIntExact(Arrays.stream(shape).reduce(1, Math::multiplyExact));
    }

    /** A view of all elements as little-endian bytes, from the first on. */
    @Override
    public ByteBuffer data() {
        return data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Number of elements. */
    public int size() {
        return data.remaining() / type.bytes();
    }
}
