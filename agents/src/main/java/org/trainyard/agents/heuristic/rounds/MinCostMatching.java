package org.trainyard.agents.heuristic.rounds;

import java.util.Arrays;

/**
 * Bipartite matching of least total cost, in which every row gets a column of its own.
 *
 * <p>The Hungarian method with potentials and shortest augmenting paths (R. Jonker, A. Volgenant: A shortest augmenting path algorithm for dense and sparse
 * linear assignment problems, Computing 38, 1987). O(rows squared x columns).
 */
final class MinCostMatching {
    private static final int NONE = -1;

    private final double[][] cost;
    private final int columns;
    private final double[] rowPotential;
    /** The last one is of the column from which paths start. */
    private final double[] columnPotential;

    private final int[] rowOf;

    private MinCostMatching(double[][] cost) {
        this.cost = cost;
        columns = cost.length == 0 ? 0 : cost[0].length;
        if (cost.length > columns) {
            throw new IllegalArgumentException(
                    "rows (%d) must not outnumber columns (%d)".formatted(cost.length, columns));
        }
        rowPotential = new double[cost.length];
        columnPotential = new double[columns + 1];
        rowOf = new int[columns + 1];
        Arrays.fill(rowOf, NONE);
    }

    /**
     * The column of every row.
     *
     * @param cost by row and column, finite; at least as many columns as rows
     */
    static int[] of(double[][] cost) {
        MinCostMatching matching = new MinCostMatching(cost);
        for (int row = 0; row < cost.length; row++) {
            matching.add(row);
        }
        int[] columnOf = new int[cost.length];
        for (int column = 0; column < matching.columns; column++) {
            if (matching.rowOf[column] != NONE) {
                columnOf[matching.rowOf[column]] = column;
            }
        }
        return columnOf;
    }

    /** Matches one more row along the shortest augmenting path. */
    private void add(int row) {
        double[] distance = new double[columns];
        int[] before = new int[columns];
        boolean[] isReached = new boolean[columns + 1];
        Arrays.fill(distance, Double.POSITIVE_INFINITY);
        rowOf[columns] = row;
        int at = columns;
        while (rowOf[at] != NONE) {
            isReached[at] = true;
            int next = relax(at, distance, before, isReached);
            shift(distance[next], distance, isReached);
            at = next;
        }
        while (at != columns) {
            rowOf[at] = rowOf[before[at]];
            at = before[at];
        }
        rowOf[columns] = NONE;
    }

    /** Shortens distances by the row that a column has; returns the nearest column that is not yet reached. */
    private int relax(int from, double[] distance, int[] before, boolean[] isReached) {
        int row = rowOf[from];
        int nearest = NONE;
        for (int column = 0; column < columns; column++) {
            if (isReached[column]) {
                continue;
            }
            double through = cost[row][column] - rowPotential[row] - columnPotential[column];
            if (through < distance[column]) {
                distance[column] = through;
                before[column] = from;
            }
            if (nearest == NONE || distance[column] < distance[nearest]) {
                nearest = column;
            }
        }
        return nearest;
    }

    private void shift(double by, double[] distance, boolean[] isReached) {
        for (int column = 0; column <= columns; column++) {
            if (isReached[column]) {
                rowPotential[rowOf[column]] += by;
                columnPotential[column] -= by;
            } else {
                distance[column] -= by;
            }
        }
    }
}
