package org.trainyard.env.performance.planned;

import java.util.Arrays;

/**
 * What a plan depends on in a placement: the kind of each server, its GPUs, and which servers are in the same rack
 * and pod. A class rather than a record because it holds an array.
 */
final class PlacementShape {
    private final int[] figures;
    private final int hash;

    PlacementShape(int[] figures) {
        this.figures = figures;
        hash = Arrays.hashCode(figures);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PlacementShape shape && Arrays.equals(figures, shape.figures);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
