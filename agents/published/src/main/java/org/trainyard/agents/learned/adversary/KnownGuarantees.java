package org.trainyard.agents.learned.adversary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.admission.PriceThresholds;
import org.trainyard.agents.heuristic.admission.StopProbabilities;

/**
 * Guarantees of known algorithms in an {@link AllocationGame}, and a bound that none exceeds.
 *
 * @param formula the fixed prices that are optimal for requests of one unit and any values between the bounds, played
 *     in this game
 * @param fixed the best of all fixed prices that do not fall
 * @param bound no policy guarantees more: so many requests of a low value that they fill all units, then perhaps as
 *     many of a higher one, and so on, as often as rounds allow
 */
public record KnownGuarantees(double formula, double fixed, double bound) {
    private static final int MOST_PRICES = 2000;

    /** The guarantees of a game; null for one with too many states or prices. */
    public static @Nullable KnownGuarantees of(AllocationGame game) {
        SequenceGraph graph = SequenceGraph.of(game);
        List<double[]> prices = prices(game);
        if (graph == null || prices.isEmpty()) {
            return null;
        }
        double lowest = game.values().get(0);
        double highest = game.values().get(game.values().size() - 1);
        PriceThresholds formula = PriceThresholds.optimal(game.units(), lowest, highest);
        double fixed = 0;
        for (double[] some : prices) {
            fixed = Math.max(
                    fixed, WorstCase.of(graph, PriceThresholds.of(some)).least());
        }
        return new KnownGuarantees(WorstCase.of(graph, formula).least(), fixed, bound(game));
    }

    /** All prices that do not fall, the first of which is the least, for others guarantee nothing; none if too many. */
    private static List<double[]> prices(AllocationGame game) {
        List<double[]> begun =
                new ArrayList<>(List.of(new double[] {game.values().get(0)}));
        for (int unit = 1; unit < game.units() && begun.size() <= MOST_PRICES; unit++) {
            List<double[]> longer = new ArrayList<>();
            for (double[] prices : begun) {
                for (double value : game.values()) {
                    if (value >= prices[prices.length - 1]) {
                        double[] next = Arrays.copyOf(prices, prices.length + 1);
                        next[prices.length] = value;
                        longer.add(next);
                    }
                }
            }
            begun = longer;
        }
        return begun.size() <= MOST_PRICES ? begun : List.of();
    }

    /** The least, over all choices of levels for which rounds suffice, of the best lottery over them. */
    static double bound(AllocationGame game) {
        int each = game.demands().stream()
                .filter(demand -> game.units() % demand == 0)
                .mapToInt(demand -> game.units() / demand)
                .min()
                .orElse(game.rounds() + 1);
        List<Double> values = game.values();
        double least = 1;
        for (long chosen = 1; chosen < 1L << Math.min(values.size(), 16); chosen++) {
            long bits = chosen;
            if (Long.bitCount(bits) * each <= game.rounds()) {
                double[] levels = values.stream()
                        .filter(value -> values.indexOf(value) < 16 && (bits >> values.indexOf(value) & 1) == 1)
                        .mapToDouble(value -> value)
                        .toArray();
                least = Math.min(least, new StopProbabilities(levels).guarantee());
            }
        }
        return least;
    }
}
