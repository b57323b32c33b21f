package org.trainyard.experiments.metrics;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Holm's correction of p-values for their number (S. Holm: A simple sequentially rejective multiple test procedure,
 * Scandinavian Journal of Statistics 6, 1979): the probability of even one false verdict among all is at most the
 * level, however the tests depend on each other.
 *
 * <p>The smallest of {@code n} p-values is multiplied by {@code n}, the next by {@code n - 1} and so on; none becomes
 * smaller than the one before it or larger than 1.
 */
public final class HolmCorrection {
    private HolmCorrection() {}

    /** The corrected p-values, in the order of the given ones. */
    public static double[] corrected(List<Double> p) {
        int n = p.size();
        int[] byP = IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble(p::get))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] corrected = new double[n];
        double least = 0;
        for (int rank = 0; rank < n; rank++) {
            least = Math.min(1, Math.max(least, (n - rank) * p.get(byP[rank])));
            corrected[byP[rank]] = least;
        }
        return corrected;
    }
}
