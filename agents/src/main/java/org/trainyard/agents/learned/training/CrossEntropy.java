package org.trainyard.agents.learned.training;

import java.util.Arrays;
import java.util.Comparator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.env.RandomStreams;

/**
 * The cross-entropy method: draws weights from a normal distribution, and moves its mean and spread to those of the
 * best draws.
 *
 * <p>Source: R. Rubinstein: The cross-entropy method for combinatorial and continuous optimization, 1999; with a
 * floor under the spread.
 */
public final class CrossEntropy {
    /**
     * How to search.
     *
     * @param population draws of each generation
     * @param elite the best of them, which make the next mean
     * @param spread standard deviation of the first draws
     * @param leastSpread floor under the standard deviation
     */
    public record Settings(int generations, int population, int elite, double spread, double leastSpread) {
        public Settings {
            if (generations < 1 || elite < 2 || population < elite || !(spread > 0) || !(leastSpread >= 0)) {
                throw new IllegalArgumentException(
                        "a search needs generations (%d), a population (%d) of at least its elite (%d) and a spread (%s)"
                                .formatted(generations, population, elite, spread));
            }
        }
    }

    /** What weights cost in a generation, in which all of them are judged alike. */
    @FunctionalInterface
    public interface Cost {
        double of(double[] weights, int generation);
    }

    /** Weights, and what they cost on validation. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Found(double[] weights, double cost) {}

    private final Settings settings;
    private final RandomGenerator random;

    public CrossEntropy(Settings settings, long seed) {
        this.settings = settings;
        random = RandomStreams.stream(seed, "cross-entropy");
    }

    /**
     * The start or the mean after a generation, whichever costs least on validation; of equals the first.
     *
     * @param validation is asked once for each, by the number of generations so far, after the search
     */
    public Found best(double[] start, Cost cost, Cost validation) {
        double[][] means = minimise(start, cost);
        Found best = new Found(start, validation.of(start, 0));
        for (int generation = 1; generation <= means.length; generation++) {
            double[] mean = means[generation - 1];
            double now = validation.of(mean, generation);
            best = now < best.cost ? new Found(mean, now) : best;
        }
        return best;
    }

    /** The mean after each generation. */
    public double[][] minimise(double[] start, Cost cost) {
        double[][] means = new double[settings.generations()][];
        double[] mean = start.clone();
        double[] spread = new double[mean.length];
        Arrays.fill(spread, settings.spread());
        for (int generation = 0; generation < means.length; generation++) {
            double[][] drawn = new double[settings.population()][];
            double[] costs = new double[drawn.length];
            for (int i = 0; i < drawn.length; i++) {
                drawn[i] = draw(mean, spread);
                costs[i] = cost.of(drawn[i], generation);
            }
            int[] best = IntStream.range(0, drawn.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> costs[i]))
                    .limit(settings.elite())
                    .mapToInt(Integer::intValue)
                    .toArray();
            move(mean, spread, drawn, best);
            means[generation] = mean.clone();
        }
        return means;
    }

    private double[] draw(double[] mean, double[] spread) {
        double[] weights = new double[mean.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = mean[i] + spread[i] * random.nextGaussian();
        }
        return weights;
    }

    private void move(double[] mean, double[] spread, double[][] drawn, int[] best) {
        for (int i = 0; i < mean.length; i++) {
            double sum = 0;
            for (int one : best) {
                sum += drawn[one][i];
            }
            mean[i] = sum / best.length;
            double squares = 0;
            for (int one : best) {
                squares += (drawn[one][i] - mean[i]) * (drawn[one][i] - mean[i]);
            }
            spread[i] = Math.max(settings.leastSpread(), Math.sqrt(squares / best.length));
        }
    }
}
