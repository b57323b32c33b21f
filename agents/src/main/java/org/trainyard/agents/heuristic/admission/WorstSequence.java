package org.trainyard.agents.heuristic.admission;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sequence of unit requests that is worst for posted prices, exactly: a dynamic programme over how many requests of
 * each value there were, which say the round and the offline optimum, and the units sold.
 *
 * <p>O(states x values), with {@code (rounds + values choose values) x units} states.
 */
public final class WorstSequence {
    private final PriceThresholds prices;
    private final double[] values;
    private final int rounds;
    /** Least welfare of what led to the counts, by units sold. */
    private Map<Long, double[]> welfare = new LinkedHashMap<>();

    private WorstSequence(PriceThresholds prices, double[] values, int rounds) {
        this.prices = prices;
        this.values = values;
        this.rounds = rounds;
    }

    /**
     * The least welfare over the offline optimum, of all sequences.
     *
     * @param values of requests, ascending
     * @param rounds most requests, at most 255, of at most seven values
     */
    public static double guarantee(PriceThresholds prices, double[] values, int rounds) {
        if (values.length > 7 || rounds > 255) {
            throw new IllegalArgumentException(
                    "values (%d) and rounds (%d) must be 7 and 255 at most".formatted(values.length, rounds));
        }
        return new WorstSequence(prices, values, rounds).least();
    }

    private double least() {
        double least = Double.POSITIVE_INFINITY;
        double[] nothing = new double[prices.units() + 1];
        Arrays.fill(nothing, Double.POSITIVE_INFINITY);
        nothing[0] = 0;
        welfare.put(0L, nothing);
        for (int round = 0; round < rounds; round++) {
            Map<Long, double[]> next = new LinkedHashMap<>();
            welfare.forEach((counts, sold) -> requests(counts, sold, next));
            for (Map.Entry<Long, double[]> entry : next.entrySet()) {
                double worst = Arrays.stream(entry.getValue()).min().orElseThrow();
                least = Math.min(least, worst / optimum(entry.getKey()));
            }
            welfare = next;
        }
        return least;
    }

    private void requests(long counts, double[] sold, Map<Long, double[]> next) {
        for (int level = 0; level < values.length; level++) {
            double[] then = next.computeIfAbsent(counts + (1L << (8 * level)), key -> {
                double[] fresh = new double[sold.length];
                Arrays.fill(fresh, Double.POSITIVE_INFINITY);
                return fresh;
            });
            for (int units = 0; units < sold.length; units++) {
                boolean isSold = values[level] >= prices.price(units);
                int after = isSold ? units + 1 : units;
                then[after] = Math.min(then[after], sold[units] + (isSold ? values[level] : 0));
            }
        }
    }

    /** The greatest values of so many requests, as many as there are units. */
    private double optimum(long counts) {
        double optimum = 0;
        int left = prices.units();
        for (int level = values.length - 1; level >= 0; level--) {
            int taken = (int) Math.min(left, (counts >> (8 * level)) & 255);
            optimum += taken * values[level];
            left -= taken;
        }
        return optimum;
    }
}
