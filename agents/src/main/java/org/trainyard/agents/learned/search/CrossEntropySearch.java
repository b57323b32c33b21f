package org.trainyard.agents.learned.search;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.random.RandomGenerator;
import org.trainyard.agents.learned.training.LearnerSettings;

/**
 * The cross-entropy method: draws candidates from a normal distribution and fits it to the best of them (R. Rubinstein: The cross-entropy
 * method for combinatorial and continuous optimization, 1999).
 *
 * <p>Details: 1. the covariance is diagonal; 2. mean and standard deviation are smoothed, they move part of the way; 3. the standard
 * deviation has a floor that falls over the run, against premature convergence (I. Szita, A. Lorincz: Learning Tetris using the noisy
 * cross-entropy method, 2006); 4. the first candidate of every generation is the mean.
 */
final class CrossEntropySearch {
    private final LearnerSettings.Search settings;
    private final double[] mean;
    private final double[] spread;
    private final double[] firstSpread;
    private int generation;

    /** @param spread initial standard deviations; 0 for a weight that is not searched */
    CrossEntropySearch(LearnerSettings.Search settings, double[] mean, double[] spread) {
        this.settings = settings;
        this.mean = mean.clone();
        this.spread = spread.clone();
        firstSpread = spread.clone();
    }

    boolean isDone() {
        return generation >= settings.generations();
    }

    /** Generations so far. */
    int generation() {
        return generation;
    }

    /** The mean of the search distribution. */
    double[] mean() {
        return mean.clone();
    }

    /** Draws the next generation. */
    double[][] ask(RandomGenerator random) {
        double[][] candidates = new double[settings.population()][];
        candidates[0] = mean.clone();
        for (int c = 1; c < candidates.length; c++) {
            candidates[c] = mean.clone();
            for (int i = 0; i < mean.length; i++) {
                if (firstSpread[i] > 0) {
                    candidates[c][i] += spread[i] * random.nextGaussian();
                }
            }
        }
        return candidates;
    }

    /** Fits the distribution to the candidates of least cost, the first among equals. */
    void tell(double[][] candidates, double[] costs) {
        Integer[] order = new Integer[candidates.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> costs[i]));
        generation++;
        double floor = settings.floor() * (1 - (double) generation / settings.generations());
        for (int i = 0; i < mean.length; i++) {
            double sum = 0;
            double squares = 0;
            for (int e = 0; e < settings.elites(); e++) {
                double weight = candidates[order[e]][i];
                sum += weight;
                squares += (weight - mean[i]) * (weight - mean[i]);
            }
            double centre = sum / settings.elites();
            double off = centre - mean[i];
            double deviation = Math.sqrt(Math.max(0, squares / settings.elites() - off * off));
            mean[i] += settings.step() * off;
            spread[i] =
                    Math.max(floor * firstSpread[i], (1 - settings.step()) * spread[i] + settings.step() * deviation);
        }
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(generation);
        for (int i = 0; i < mean.length; i++) {
            out.writeDouble(mean[i]);
            out.writeDouble(spread[i]);
        }
    }

    void read(DataInput in) throws IOException {
        generation = in.readInt();
        for (int i = 0; i < mean.length; i++) {
            mean[i] = in.readDouble();
            spread[i] = in.readDouble();
        }
    }
}
