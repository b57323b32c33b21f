package org.trainyard.env.pipeline.mixed;

import org.trainyard.env.Labelled;

/**
 * How a logical matrix lies on a group of GPUs.
 *
 * <p>The SBP layouts of J. Yuan et al.: OneFlow: redesign the distributed deep learning framework from scratch, 2021.
 */
public enum TensorLayout implements Labelled {
    /** Split along the rows. */
    SPLIT_ROWS(0),
    /** Split along the columns. */
    SPLIT_COLUMNS(1),
    /** A copy on each GPU. */
    BROADCAST(2),
    /** Each GPU has a summand of each element. */
    PARTIAL(3);

    private final int index;

    TensorLayout(int index) {
        this.index = index;
    }

    /** Row and column of this layout in a table of all layouts. */
    int index() {
        return index;
    }

    public boolean isSplit() {
        return this == SPLIT_ROWS || this == SPLIT_COLUMNS;
    }

    /** The layout of the transposed matrix. */
    TensorLayout transposed() {
        return switch (this) {
            case SPLIT_ROWS -> SPLIT_COLUMNS;
            case SPLIT_COLUMNS -> SPLIT_ROWS;
            case BROADCAST, PARTIAL -> this;
        };
    }
}
