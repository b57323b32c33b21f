package org.trainyard.agents.heuristic.rounds;

import java.util.Arrays;

/**
 * Bipartite matching of least total cost, in which every row gets a column of its own. Rows are matched one after
 * another, and columns may be offered between them; a column that was not offered yet must not be better for any row
 * than an offered one that is not taken.
 *
 * <p>The Hungarian method with potentials and shortest augmenting paths (R. Jonker, A. Volgenant: A shortest augmenting
 * path algorithm for dense and sparse linear assignment problems, Computing 38, 1987). O(rows squared x columns). Of
 * equally near columns, a path takes the one with the lowest rank.
 */
final class MinCostMatching {
    private static final int NONE = -1;

    private final double[][] cost;
    private int columns;
    private int rows;
    private final int[] rank;
    private final int[] rowOf;
    private final double[] rowPotential;
    private final double[] columnPotential;
    /**
     * The path under construction: the columns not yet reached, in any order, their distances and the columns before
     * them.
     */
    private final int[] open;

    private final double[] distance;
    private final int[] before;
    private int openCount;
    /** The columns reached, after the new row alone, with the potentials of their rows and their own. */
    private final int[] reached;

    private final double[] reachedRowPotential;
    private final double[] reachedColumnPotential;

    /** @param mostColumns that will be offered */
    MinCostMatching(int mostRows, int mostColumns) {
        cost = new double[mostRows][mostColumns];
        rank = new int[mostColumns];
        rowOf = new int[mostColumns];
        rowPotential = new double[mostRows];
        columnPotential = new double[mostColumns];
        open = new int[mostColumns];
        distance = new double[mostColumns];
        before = new int[mostColumns];
        reached = new int[mostRows];
        reachedRowPotential = new double[mostRows];
        reachedColumnPotential = new double[mostRows];
        Arrays.fill(rowOf, NONE);
    }

    /**
     * Offers one more column, whose costs the caller then sets.
     *
     * @param rank among equally near columns, unique
     * @return the number of the column; columns are numbered as they are offered
     */
    int offer(int rank) {
        this.rank[columns] = rank;
        return columns++;
    }

    /** Costs of a row by column, finite, to be set; before the row and the column are matched. */
    double[] cost(int row) {
        return cost[row];
    }

    /** The column of every row. */
    int[] columns() {
        int[] columnOf = new int[rows];
        for (int column = 0; column < columns; column++) {
            if (rowOf[column] != NONE) {
                columnOf[rowOf[column]] = column;
            }
        }
        return columnOf;
    }

    /**
     * Matches the next row along the shortest augmenting path.
     *
     * @return the column that no row had before
     */
    int add() {
        if (rows == columns) {
            throw new IllegalArgumentException(
                    "rows (%d) must not outnumber columns (%d)".formatted(rows + 1, columns));
        }
        Arrays.fill(distance, 0, columns, Double.POSITIVE_INFINITY);
        for (int column = 0; column < columns; column++) {
            open[column] = column;
        }
        openCount = columns;
        reached[0] = NONE;
        reachedRowPotential[0] = 0;
        int count = 1;
        int row = rows++;
        double by = 0;
        int free = NONE;
        while (free == NONE) {
            int nearest = relax(reached[count - 1], row, by);
            int column = open[nearest];
            by = distance[column];
            open[nearest] = open[--openCount];
            for (int i = 0; i < count; i++) {
                reachedRowPotential[i] += by;
                reachedColumnPotential[i] -= by;
            }
            row = rowOf[column];
            if (row == NONE) {
                free = column;
            } else {
                reached[count] = column;
                reachedRowPotential[count] = rowPotential[row];
                reachedColumnPotential[count] = columnPotential[column];
                count++;
            }
        }
        keepPotentials(count);
        augment(free);
        return free;
    }

    private void keepPotentials(int count) {
        rowPotential[rows - 1] = reachedRowPotential[0];
        for (int i = 1; i < count; i++) {
            rowPotential[rowOf[reached[i]]] = reachedRowPotential[i];
            columnPotential[reached[i]] = reachedColumnPotential[i];
        }
    }

    private void augment(int free) {
        int column = free;
        while (before[column] != NONE) {
            rowOf[column] = rowOf[before[column]];
            column = before[column];
        }
        rowOf[column] = rows - 1;
    }

    /**
     * Shortens distances by the row that a column has.
     *
     * @param by what potentials have taken off all distances since the last call
     * @return the place of the nearest open column
     */
    private int relax(int from, int row, double by) {
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
            if (there < least || (there == least && rank[column] < rank[open[nearest]])) {
                least = there;
                nearest = i;
            }
        }
        return nearest;
    }
}
