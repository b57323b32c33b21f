package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.Arrays;
import org.trainyard.gnn.Tensors;

/** A sparse matrix whose rows are weighted sums of the rows of another: sums of embeddings, with gradients. */
final class SparseRows {
    private int size;
    private int[] rows = new int[64];
    private int[] of = new int[64];
    private float[] shares = new float[64];

    void clear() {
        size = 0;
    }

    /** Adds a share of a row of the other matrix to a row. */
    void add(int row, int other, float share) {
        if (size == rows.length) {
            rows = Arrays.copyOf(rows, 2 * size);
            of = Arrays.copyOf(of, 2 * size);
            shares = Arrays.copyOf(shares, 2 * size);
        }
        rows[size] = row;
        of[size] = other;
        shares[size++] = share;
    }

    /** The sums of rows of a matrix, {@code [count, columns of it]}. O(shares x columns). */
    NDArray of(NDArray matrix, int count, NDManager scope) {
        if (size == 0) {
            return scope.zeros(new Shape(count, matrix.getShape().get(1)));
        }
        long[] places = new long[2 * size];
        for (int i = 0; i < size; i++) {
            places[i] = rows[i];
            places[size + i] = of[i];
        }
        NDArray values = Tensors.copyOf(Arrays.copyOf(shares, size), new Shape(size), scope);
        NDArray sparse = JniUtils.createSparseCoo(
                (PtNDArray) scope.create(places, new Shape(2, size)),
                (PtNDArray) values,
                new Shape(count, matrix.getShape().get(0)));
        sparse.attach(scope);
        return sparse.matMul(matrix);
    }
}
