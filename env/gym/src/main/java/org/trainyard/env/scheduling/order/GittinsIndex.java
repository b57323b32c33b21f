package org.trainyard.env.scheduling.order;

import java.util.Arrays;

/**
 * The Gittins rank of a job whose run time is a prediction times a random error: the minimum, over all quanta of
 * service, of the expected service within the quantum divided by the probability that the job ends within it. Serving
 * the job of least rank first minimises the mean time in the system on one machine (J. Gittins: Bandit processes and
 * dynamic allocation indices, 1979; for unknown run times Z. Scully, M. Harchol-Balter, A. Scheller-Wolf: SOAP: One
 * clean analysis of all age-based scheduling policies, 2018).
 *
 * <p>With exact predictions the rank is the remaining time. With inexact ones it starts at about the prediction and
 * grows as the job runs, because the job proves to be a long one; it is small just before an age at which many jobs
 * have ended.
 *
 * <p>The distribution of errors is a histogram of their natural logarithms, on top of a weak lognormal prior.
 */
final class GittinsIndex {
    private static final double FIRST = -7;
    private static final double STEP = 0.1;
    private static final int BINS = 140;
    /** Weight of the prior, in observed errors; its logarithms have a standard deviation of one. */
    private static final double PRIOR = 3;
    /** Factor by which ranks may grow before their bounds are set anew. */
    private static final double SLACK = 1.1;

    /** Bounds are set anew, too, where one is so many times the rank. */
    private static final double LOOSE = 1.3;

    /** A slack by which rounding never lifts a rank above its bound. */
    private static final double ROUNDING = 1 + 1e-12;

    /** Age at every edge of a bin, as a multiple of the prediction. */
    private static final double[] AGES = new double[BINS + 1];

    static {
        Arrays.setAll(AGES, edge -> Math.exp(FIRST + edge * STEP));
    }

    private final double[] counts = new double[BINS];
    /** The survival function at every edge of a bin. */
    private final double[] survival = new double[BINS + 1];
    /** The integral of the survival function up to every edge of a bin. */
    private final double[] lived = new double[BINS + 1];

    private final double[] ranks = new double[BINS + 1];
    /** A bound at every edge of a bin that the rank has not exceeded since the bounds were set. */
    private final double[] most = new double[BINS + 1];
    /** Number of times that the bounds were set. */
    private long bounds;

    private boolean isBounded;
    /** A stack of the edges on the lower convex hull of later edges; the top is the nearest. */
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

    /** Adds an observed error: the natural logarithm of a run time divided by its prediction. */
    void add(double logError) {
        int bin = (int) Math.floor((logError - FIRST) / STEP);
        counts[Math.max(0, Math.min(BINS - 1, bin))]++;
        isStale = true;
        errors++;
    }

    /** Number of observed errors; ranks change only when it does. */
    int errors() {
        return errors;
    }

    /**
     * The rank, as a multiple of the prediction.
     *
     * @param age time the job has run, as a multiple of the prediction
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

    /** Changes when {@link #atMost} has to be asked again because ranks have grown with the errors. */
    long bounds() {
        if (isStale) {
            isStale = false;
            count();
        }
        if (!isBounded) {
            for (int edge = 0; edge <= BINS; edge++) {
                most[edge] = SLACK * ranks[edge];
            }
            isBounded = true;
            bounds++;
        }
        return bounds;
    }

    /** A number that no rank between two ages exceeds while {@link #bounds} stays the same. */
    double atMost(double fromAge, double toAge) {
        double from = place(fromAge);
        double to = place(toAge);
        double highest = Math.max(most(fromAge, from), most(toAge, to));
        for (int edge = (int) from + 1; edge <= BINS && edge <= to; edge++) {
            highest = Math.max(highest, most[edge]);
        }
        return highest * ROUNDING;
    }

    /** The place of an age among the edges of bins. */
    private static double place(double age) {
        return age <= 0 ? 0 : Math.max(0, (Math.log(age) - FIRST) / STEP);
    }

    /**
     * The bound at an age, of which the place is given: between edges on the line between their bounds, as ranks are.
     */
    private double most(double age, double at) {
        int below = (int) at;
        return below >= BINS
                ? most[BINS] * age / AGES[BINS]
                : most[below] + (at - below) * (most[below + 1] - most[below]);
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
     * The minimum ratio at an edge is the slope of the tangent from the edge's point (probability of having ended,
     * expected service) to the lower convex hull of the points of later edges. The hull is built from the last edge to
     * the first.
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
        for (int edge = 0; edge <= BINS; edge++) {
            isBounded &= ranks[edge] <= most[edge] && most[edge] <= LOOSE * ranks[edge];
        }
    }

    private double slope(int from, double time, int until) {
        double done = survival[from] - survival[until];
        return done > 0 ? (lived[until] - time) / done : Double.POSITIVE_INFINITY;
    }
}
