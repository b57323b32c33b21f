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
    /** Of the path under construction: the columns not yet reached, ascending, with their distances and the columns before them. */
    private final int[] open;

    private final double[] distance;
    private final int[] before;
    private int openCount;
    private final int[] reached;

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
        open = new int[columns];
        distance = new double[columns];
        before = new int[columns];
        reached = new int[columns + 1];
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
        Arrays.fill(distance, Double.POSITIVE_INFINITY);
        Arrays.setAll(open, column -> column);
        openCount = columns;
        int count = 0;
        rowOf[columns] = row;
        int at = columns;
        double by = 0;
        while (rowOf[at] != NONE) {
            reached[count++] = at;
            int nearest = relax(at, by);
            at = open[nearest];
            by = distance[at];
            close(nearest);
            for (int i = 0; i < count; i++) {
                rowPotential[rowOf[reached[i]]] += by;
                columnPotential[reached[i]] -= by;
            }
        }
        while (at != columns) {
            rowOf[at] = rowOf[before[at]];
            at = before[at];
        }
        rowOf[columns] = NONE;
    }

    /**
     * Shortens distances by the row that a column has.
     *
     * @param by what potentials have taken off all distances since the last call
     * @return the place of the nearest open column, the first of equals
     */
    private int relax(int from, double by) {
        int row = rowOf[from];
        double[] costs = cost[row];
        double potential = rowPotential[row];
        int nearest = NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < openCount; i++) {
            int column = open[i];
            double there = distance[column] - by;
            double through = costs[column] - potential - columnPotential[column];
            if (through < there) {
                there = through;
                before[column] = from;
            }
            distance[column] = there;
            if (there < least) {
                least = there;
                nearest = i;
            }
        }
        return nearest;
    }

    private void close(int place) {
        openCount--;
        System.arraycopy(open, place + 1, open, place, openCount - place);
    }
}
