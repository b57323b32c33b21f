package org.trainyard.experiments.advice.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Searches a grid for the point with the least value, by what the points seen so far were worth: of points drawn where
 * good ones lie, those are tried that lie least where bad ones do (J. Bergstra, R. Bardenet, Y. Bengio, B. Kégl:
 * Algorithms for hyper-parameter optimization, NeurIPS 2011, on ordered choices).
 *
 * <p>Choice 0 of a dimension stands apart, the others are ordered: what is known of one tells something of the next.
 */
final class ParzenSearch {
    /** Points that are drawn blindly before any is judged. */
    private static final int BLIND = 16;

    /**
     * Points that are drawn at most for each that is asked for, and of these, where good ones lie: there all may be
     * known.
     */
    private static final int MOST = 50;

    private static final int TAUGHT = 40;

    private static final double GOOD = 0.2;
    private static final int LEAST_GOOD = 4;
    private static final int DRAWN = 24;
    private static final double NEIGHBOUR = 0.4;

    /** A point that was tried; the smaller its value the better. */
    record Trial(List<Integer> point, double value) {
        Trial {
            point = List.copyOf(point);
        }
    }

    private final int[] choices;
    private final RandomGenerator random;

    /** @param choices in each dimension */
    ParzenSearch(int[] choices, RandomGenerator random) {
        this.choices = choices.clone();
        this.random = random;
    }

    /** Points to try next, none of them seen before; fewer where the grid has hardly any more. */
    List<List<Integer>> propose(List<Trial> seen, int count) {
        Set<List<Integer>> known = new HashSet<>();
        seen.forEach(trial -> known.add(trial.point));
        List<List<Integer>> proposed = new ArrayList<>();
        for (int tries = 0; proposed.size() < count && tries < MOST * count; tries++) {
            boolean isTaught = seen.size() >= BLIND && tries < TAUGHT * count;
            List<Integer> point = isTaught ? drawn(seen) : blind();
            if (known.add(point)) {
                proposed.add(point);
            }
        }
        return proposed;
    }

    private List<Integer> blind() {
        List<Integer> point = new ArrayList<>(choices.length);
        for (int choice : choices) {
            point.add(random.nextBoolean() ? 0 : random.nextInt(choice));
        }
        return point;
    }

    private List<Integer> drawn(List<Trial> seen) {
        List<Trial> sorted = new ArrayList<>(seen);
        sorted.sort(Comparator.comparingDouble(Trial::value));
        int some = Math.min(sorted.size(), Math.max(LEAST_GOOD, (int) Math.ceil(GOOD * sorted.size())));
        double[][] good = densities(sorted.subList(0, some));
        double[][] bad = densities(sorted.subList(some, sorted.size()));
        List<Integer> best = List.of();
        double bestRatio = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < DRAWN; i++) {
            List<Integer> point = new ArrayList<>(choices.length);
            double ratio = 0;
            for (int dimension = 0; dimension < choices.length; dimension++) {
                int choice = draw(good[dimension]);
                point.add(choice);
                ratio += Math.log(good[dimension][choice] / bad[dimension][choice]);
            }
            if (ratio > bestRatio) {
                bestRatio = ratio;
                best = point;
            }
        }
        return best;
    }

    private double[][] densities(List<Trial> trials) {
        double[][] densities = new double[choices.length][];
        for (int dimension = 0; dimension < choices.length; dimension++) {
            double[] density = new double[choices[dimension]];
            Arrays.fill(density, 1.0 / density.length);
            for (Trial trial : trials) {
                int at = trial.point.get(dimension);
                density[at]++;
                if (at > 1) {
                    density[at - 1] += NEIGHBOUR;
                }
                if (at > 0 && at + 1 < density.length) {
                    density[at + 1] += NEIGHBOUR;
                }
            }
            double sum = Arrays.stream(density).sum();
            Arrays.setAll(density, i -> density[i] / sum);
            densities[dimension] = density;
        }
        return densities;
    }

    private int draw(double[] density) {
        double left = random.nextDouble();
        int choice = 0;
        while (choice < density.length - 1 && left >= density[choice]) {
            left -= density[choice];
            choice++;
        }
        return choice;
    }
}
