package org.trainyard.agents.heuristic.pdors;

/**
 * Factors by which a fractional solution is scaled before it is rounded at random, so that all constraints of one
 * kind hold with a given probability.
 *
 * <p>Source: PD-ORS (2108.02917), re-derived from Chernoff's bounds. The cost is then at most {@code 3 G / delta}
 * times that of the fractional solution with probability {@code 1 - delta / 3}.
 */
final class RoundingFactor {
    private RoundingFactor() {}

    /**
     * At most 1: each packing constraint fails with probability at most {@code delta / (3 constraints)}.
     *
     * @param width least ratio of a capacity to the largest coefficient of its constraint
     */
    static double packing(double width, int constraints, double delta) {
        double l = 3 * Math.log(3 * constraints / delta) / width;
        return 1 + l / 2 - Math.sqrt(l * l / 4 + l);
    }

    /**
     * At least 1: each covering constraint fails with probability at most {@code delta / (3 constraints)}.
     *
     * @param width least ratio of a right-hand side to the largest coefficient of its constraint
     */
    static double covering(double width, int constraints, double delta) {
        double l = Math.log(3 * constraints / delta) / width;
        return 1 + l + Math.sqrt(l * l + 2 * l);
    }
}
