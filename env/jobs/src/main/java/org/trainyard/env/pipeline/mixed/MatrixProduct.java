package org.trainyard.env.pipeline.mixed;

/**
 * The legal layouts of a matrix product {@code A B = C} on a group of GPUs.
 *
 * <p>Source: J. Yuan et al.: OneFlow, 2021, table 1, with the two combinations of its code in which one factor is a
 * partial sum.
 */
enum MatrixProduct {
    ROWS(TensorLayout.SPLIT_ROWS, TensorLayout.BROADCAST, TensorLayout.SPLIT_ROWS),
    COLUMNS(TensorLayout.BROADCAST, TensorLayout.SPLIT_COLUMNS, TensorLayout.SPLIT_COLUMNS),
    INNER(TensorLayout.SPLIT_COLUMNS, TensorLayout.SPLIT_ROWS, TensorLayout.PARTIAL),
    PARTIAL_LEFT(TensorLayout.PARTIAL, TensorLayout.BROADCAST, TensorLayout.PARTIAL),
    PARTIAL_RIGHT(TensorLayout.BROADCAST, TensorLayout.PARTIAL, TensorLayout.PARTIAL),
    EVERYWHERE(TensorLayout.BROADCAST, TensorLayout.BROADCAST, TensorLayout.BROADCAST);

    private final TensorLayout left;
    private final TensorLayout right;
    private final TensorLayout product;

    MatrixProduct(TensorLayout left, TensorLayout right, TensorLayout product) {
        this.left = left;
        this.right = right;
        this.product = product;
    }

    TensorLayout left() {
        return left;
    }

    TensorLayout right() {
        return right;
    }

    TensorLayout product() {
        return product;
    }

    /** Whether each GPU does its part of the work only. */
    boolean isSharded() {
        return left.isSplit() || right.isSplit();
    }
}
