package org.trainyard.agents.heuristic.smd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.agents.heuristic.linear.BoxedProgram;

/**
 * The approximation scheme of Frieze and Clarke for the knapsack of several dimensions: small sets of items, each
 * completed by the whole items of a vertex of the linear relaxation.
 *
 * <p>Source: A. M. Frieze, M. R. B. Clarke: Approximation algorithms for the m-dimensional 0-1 knapsack problem,
 * European Journal of Operational Research 15 (1984). With sets of up to {@code k} of n items the value is at least
 * {@code (k + 1) / (k + 1 + d)} of the optimum in d dimensions, because a vertex has at most d fractional items. O(n^k)
 * programmes.
 */
final class FriezeClarke {
    private static final double WHOLE = 1 - 1e-7;
    private static final double ROUNDING = 1e-9;

    private final double[] values;
    private final double[][] sizes;
    private final double[] capacity;
    private double bestValue;
    private boolean[] best;

    /** @param sizes by item and dimension, not negative */
    FriezeClarke(double[] values, double[][] sizes, double[] capacity) {
        this.values = values.clone();
        this.sizes = sizes;
        this.capacity = capacity.clone();
        best = new boolean[values.length];
    }

    /** The items that are packed. */
    boolean[] pack(int mostInSet) {
        best = new boolean[values.length];
        bestValue = 0;
        for (int item = 0; item < values.length; item++) {
            // Without it the bound fails for sets of none.
            if (fits(sizes[item], capacity)) {
                offerAlone(item);
            }
        }
        extend(new boolean[values.length], 0, 0, capacity.clone(), mostInSet);
        return best;
    }

    private static boolean fits(double[] size, double[] room) {
        for (int d = 0; d < room.length; d++) {
            if (size[d] > room[d] + ROUNDING * (1 + room[d])) {
                return false;
            }
        }
        return true;
    }

    private void extend(boolean[] set, int count, int from, double[] room, int most) {
        if (count == most) {
            complete(set, room);
            return;
        }
        offer(set);
        for (int item = from; item < values.length; item++) {
            if (fits(sizes[item], room)) {
                set[item] = true;
                double[] left = room.clone();
                for (int d = 0; d < left.length; d++) {
                    left[d] = Math.max(0, left[d] - sizes[item][d]);
                }
                extend(set, count + 1, item + 1, left, most);
                set[item] = false;
            }
        }
    }

    /** The set with the whole items of the relaxation over the items that are worth no more than its least. */
    private void complete(boolean[] set, double[] room) {
        double least = Double.POSITIVE_INFINITY;
        for (int item = 0; item < values.length; item++) {
            least = set[item] ? Math.min(least, values[item]) : least;
        }
        List<Integer> rest = new ArrayList<>();
        for (int item = 0; item < values.length; item++) {
            if (!set[item] && values[item] > 0 && values[item] <= least && fits(sizes[item], room)) {
                rest.add(item);
            }
        }
        boolean[] candidate = set.clone();
        double[] parts = relaxation(rest, room);
        for (int i = 0; i < parts.length; i++) {
            candidate[rest.get(i)] = parts[i] >= WHOLE;
        }
        offer(candidate);
    }

    private double[] relaxation(List<Integer> rest, double[] room) {
        double[] costs = rest.stream().mapToDouble(item -> -values[item]).toArray();
        double[] upper = new double[costs.length];
        Arrays.fill(upper, 1);
        int[] columns = new int[costs.length];
        Arrays.setAll(columns, i -> i);
        List<BoxedProgram.Row> rows = new ArrayList<>();
        for (int dimension = 0; dimension < room.length; dimension++) {
            int d = dimension;
            double[] row = rest.stream().mapToDouble(item -> sizes[item][d]).toArray();
            rows.add(new BoxedProgram.Row(columns, row, Double.NEGATIVE_INFINITY, room[d]));
        }
        double[] parts = costs.length == 0 ? costs : BoxedProgram.minimise(costs, upper, rows);
        if (parts == null) {
            throw new IllegalStateException("a relaxation of (%d) items has no optimum".formatted(costs.length));
        }
        return parts;
    }

    private void offerAlone(int item) {
        if (values[item] > bestValue) {
            bestValue = values[item];
            best = new boolean[values.length];
            best[item] = true;
        }
    }

    private void offer(boolean[] set) {
        double value = 0;
        for (int item = 0; item < values.length; item++) {
            value += set[item] ? values[item] : 0;
        }
        if (value > bestValue) {
            bestValue = value;
            best = set.clone();
        }
    }
}
