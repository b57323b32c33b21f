package org.trainyard.agents.heuristic.admission;

import java.util.Arrays;
import org.trainyard.env.Invalid;

/**
 * The optimal deterministic posted prices of {@code C} units that are not returned, for requests of one unit each whose
 * values lie between two known bounds: the request that comes when {@code y} units are sold gets one if its value is at
 * least price {@code y}.
 *
 * <p>The first {@code m} prices are the lower bound of values, {@code Lo}; each further price is {@code alpha / C}
 * times the sum of the prices before it. With {@code phi = Up / Lo}, {@code m} and the competitive ratio {@code alpha}
 * solve {@code (alpha m / C)(1 + alpha / C)^(C - m) = phi} with {@code alpha m / C >= 1}, and {@code alpha} is the
 * least solution. No deterministic thresholds have a better ratio. The limit of many units is {@link UtilisationPrice}.
 *
 * <p>Source: the threshold policies of one-way trading and online knapsack (R. El-Yaniv, A. Fiat, R. Karp, G. Turpin:
 * Optimal search and one-way trading online algorithms, Algorithmica 2001; Z. Zhang, Z. Li, C. Wu: Optimal posted
 * prices for online cloud resource allocation, SIGMETRICS 2017), for whole units.
 */
public final class PriceThresholds {
    private static final int BISECTIONS = 200;

    private final double[] prices;
    private final double ratio;

    private PriceThresholds(double[] prices, double ratio) {
        this.prices = prices;
        this.ratio = ratio;
    }

    /** The optimal prices of so many units for values between {@code lowest} and {@code highest}. */
    public static PriceThresholds optimal(int units, double lowest, double highest) {
        requireBounds(lowest, highest);
        Invalid.when(units < 1, "units (%d) must be at least 1", units);
        double spread = highest / lowest;
        double best = Double.POSITIVE_INFINITY;
        int flat = units;
        for (int m = 1; m <= units; m++) {
            double ratio = ratio(units, m, spread);
            if (ratio * m / units >= 1 && ratio < best) {
                best = ratio;
                flat = m;
            }
        }
        double[] prices = new double[units];
        double sum = 0;
        for (int i = 0; i < units; i++) {
            prices[i] = i < flat ? lowest : best / units * sum;
            sum += prices[i];
        }
        return new PriceThresholds(prices, best);
    }

    static void requireBounds(double lowest, double highest) {
        if (!(lowest > 0 && highest >= lowest && highest < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "values (%s to %s) must be above zero, and the first no more than the last"
                            .formatted(lowest, highest));
        }
    }

    /** The root of {@code (alpha m / C)(1 + alpha / C)^(C - m) = phi}, whose left side grows with alpha. */
    private static double ratio(int units, int flat, double spread) {
        double low = 0;
        double high = spread * units / flat;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            double logSize = Math.log(middle * flat / units) + (units - flat) * Math.log1p(middle / units);
            if (logSize < Math.log(spread)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** Any prices, which need not be optimal; their ratio is not known. */
    public static PriceThresholds of(double... prices) {
        return new PriceThresholds(prices.clone(), Double.NaN);
    }

    public int units() {
        return prices.length;
    }

    /** The price of the next unit, or infinity when none is left. */
    public double price(int sold) {
        return sold < prices.length ? prices[sold] : Double.POSITIVE_INFINITY;
    }

    /** The greatest ratio of the optimal welfare to the welfare at these prices, over all sequences of requests. */
    public double competitiveRatio() {
        return ratio;
    }

    /** The sum of the values of the requests that get a unit. */
    public double welfare(double... values) {
        int sold = 0;
        double welfare = 0;
        for (double value : values) {
            if (value >= price(sold)) {
                sold++;
                welfare += value;
            }
        }
        return welfare;
    }

    @Override
    public String toString() {
        return Arrays.toString(prices);
    }
}
