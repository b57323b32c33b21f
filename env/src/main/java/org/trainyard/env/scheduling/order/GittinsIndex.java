package org.trainyard.env.scheduling.order;

import java.util.Arrays;

/**
 * How soon a job is worth running when its run time is a guess times an error like those seen so far: the least, over all times one might
 * give it, of the time spent over the chance to see it done. Running the least rank first minimises the mean time in the system on one
 * machine (J. Gittins: Bandit processes and dynamic allocation indices, 1979; for unknown run times Z. Scully, M. Harchol-Balter, A.
 * Scheller-Wolf: SOAP: One clean analysis of all age-based scheduling policies, 2018).
 *
 * <p>After sure guesses it is the time left. After unsure ones it is about the guess at first, and grows the longer the job runs, for it
 * turns out to be one of the long ones; where many jobs have ended at some multiple of their guess it is small just before.
 *
 * <p>Errors are counted in a histogram of their natural logarithms, on top of a few lognormal ones that stand for not knowing.
 */
final class GittinsIndex {
    private static final double FIRST = -7;
    private static final double STEP = 0.1;
    private static final int BINS = 140;
    /** Before anything has been seen, errors count as if that many had had a standard deviation of one. */
    private static final double PRIOR = 3;

    /** Of the edges of the bins. */
    private static final double[] AGES = new double[BINS + 1];

    static {
        Arrays.setAll(AGES, edge -> Math.exp(FIRST + edge * STEP));
    }

    private final double[] counts = new double[BINS];
    /** Part that lives on, time lived up to there, and rank, at the lower edges of the bins and at the upper edge of the last. */
    private final double[] survival = new double[BINS + 1];

    private final double[] lived = new double[BINS + 1];
    private final double[] ranks = new double[BINS + 1];
    /** Edges on the hull of those to the right, the nearest last. */
    private final int[] later = new int[BINS + 1];

    private boolean isStale = true;
    private int errors;

    GittinsIndex() {
        double sum = 0;
        for (int bin = 0; bin < BINS; bin++) {
            double z = FIRST + (bin + 0.5) * STEP;
            counts[bin] = Math.exp(-z * z / 2);
            sum += counts[bin];
        }
        for (int bin = 0; bin < BINS; bin++) {
            counts[bin] *= PRIOR / sum;
        }
    }

    /** Takes in the natural logarithm of a run time over its guess. */
    void add(double logError) {
        int bin = (int) Math.floor((logError - FIRST) / STEP);
        counts[Math.max(0, Math.min(BINS - 1, bin))]++;
        isStale = true;
        errors++;
    }

    /** How many errors have been taken in: as long as it stays, so do ranks. */
    int errors() {
        return errors;
    }

    /**
     * In the unit of the guess.
     *
     * @param age time the job has run, as a part of the guess
     */
    double of(double age) {
        if (isStale) {
            isStale = false;
            count();
        }
        double at = age <= 0 ? 0 : (Math.log(age) - FIRST) / STEP;
        if (at <= 0) {
            return ranks[0];
        }
        int below = (int) at;
        if (below >= BINS) {
            return ranks[BINS] * age / AGES[BINS];
        }
        return ranks[below] + (at - below) * (ranks[below + 1] - ranks[below]);
    }

    private void count() {
        double left = 0;
        survival[BINS] = 0;
        for (int bin = BINS - 1; bin >= 0; bin--) {
            left += counts[bin];
            survival[bin] = left;
        }
        for (int edge = 0; edge <= BINS; edge++) {
            survival[edge] /= left;
            lived[edge] = edge == 0
                    ? AGES[0]
                    : lived[edge - 1] + (AGES[edge] - AGES[edge - 1]) * (survival[edge] + survival[edge - 1]) / 2;
        }
        rank();
    }

    /**
     * The least ratio of time to chance from each edge is the slope of a tangent: from the point (part that has ended, time lived) of the
     * edge to the lower convex hull of the points of later ones, which is built from the right.
     */
    private void rank() {
        ranks[BINS] = AGES[BINS];
        int hull = 0;
        later[hull++] = BINS;
        for (int edge = BINS - 1; edge >= 0; edge--) {
            double time = edge == 0 ? 0 : lived[edge];
            while (hull > 1 && slope(edge, time, later[hull - 1]) >= slope(edge, time, later[hull - 2])) {
                hull--;
            }
            ranks[edge] = slope(edge, time, later[hull - 1]);
            later[hull++] = edge;
        }
    }

    private double slope(int from, double time, int until) {
        double done = survival[from] - survival[until];
        return done > 0 ? (lived[until] - time) / done : Double.POSITIVE_INFINITY;
    }
}
