package org.trainyard.env.gym;

/**
 * How soon a job is worth running when its run time is a guess times a lognormal error: the least, over all times one might give it, of
 * the time spent over the chance to see it done. Running the least rank first minimises the mean time in the system on one machine
 * (J. Gittins: Bandit processes and dynamic allocation indices, 1979; for unknown run times Z. Scully, M. Harchol-Balter, A.
 * Scheller-Wolf: SOAP: One clean analysis of all age-based scheduling policies, 2018).
 *
 * <p>A sure guess gives the time left. An unsure one gives about the guess at first, and more and more the longer the job has run, for it
 * turns out to be one of the long ones.
 */
final class GittinsRank {
    /** Standard deviations of the natural logarithm for which there are tables. */
    private static final double[] SIGMAS = {0.05, 0.1, 0.2, 0.3, 0.45, 0.65, 0.9, 1.2, 1.6, 2.1, 2.8};

    /** Ages, as natural logarithms of parts of the guess. */
    private static final double FIRST = -7;

    private static final double STEP = 0.02;
    private static final int AGES = 701;
    /** Beyond so small a chance to run still, the rank grows with the age. */
    private static final double LEAST_SURVIVAL = 1e-7;

    private static final double[][] TABLES = new double[SIGMAS.length][];

    static {
        for (int i = 0; i < SIGMAS.length; i++) {
            TABLES[i] = table(SIGMAS[i]);
        }
    }

    private GittinsRank() {}

    /**
     * In the unit of the guess.
     *
     * @param age time the job has run, as a part of the guess
     * @param sigma standard deviation of the natural logarithm of the error; below the first table's the guess is taken as sure
     */
    static double of(double age, double sigma) {
        if (sigma < SIGMAS[0]) {
            return Math.max(1 - age, 0.01);
        }
        int above = 1;
        while (above < SIGMAS.length - 1 && SIGMAS[above] < sigma) {
            above++;
        }
        double part = Math.min(1, (sigma - SIGMAS[above - 1]) / (SIGMAS[above] - SIGMAS[above - 1]));
        return (1 - part) * read(TABLES[above - 1], age) + part * read(TABLES[above], age);
    }

    private static double read(double[] table, double age) {
        double at = age <= 0 ? 0 : (Math.log(age) - FIRST) / STEP;
        if (at <= 0) {
            return table[0];
        }
        int below = (int) at;
        if (below >= AGES - 1) {
            return table[AGES - 1] * age / Math.exp(FIRST + (AGES - 1) * STEP);
        }
        return table[below] + (at - below) * (table[below + 1] - table[below]);
    }

    /** Ranks at all ages of the grid, by sums over the grid. */
    private static double[] table(double sigma) {
        double[] survival = new double[AGES];
        double[] lived = new double[AGES];
        double sum = 0;
        for (int i = AGES - 1; i > 0; i--) {
            double z = (FIRST + (i - 0.5) * STEP) / sigma;
            sum += Math.exp(-z * z / 2) * STEP;
            survival[i - 1] = sum;
        }
        double total = Math.max(sum, sigma * Math.sqrt(2 * Math.PI));
        for (int i = 0; i < AGES; i++) {
            survival[i] /= total;
            if (i > 0) {
                double width = Math.exp(FIRST + i * STEP) - Math.exp(FIRST + (i - 1) * STEP);
                lived[i] = lived[i - 1] + width * (survival[i] + survival[i - 1]) / 2;
            }
        }
        return ranks(survival, lived);
    }

    private static double[] ranks(double[] survival, double[] lived) {
        double[] ranks = new double[AGES];
        for (int age = 0; age < AGES; age++) {
            if (survival[age] < LEAST_SURVIVAL) {
                ranks[age] = ranks[age - 1] * Math.exp(STEP);
                continue;
            }
            double least = Double.POSITIVE_INFINITY;
            for (int until = age + 1; until < AGES; until++) {
                double done = survival[age] - survival[until];
                if (done > 0) {
                    least = Math.min(least, (lived[until] - lived[age]) / done);
                }
            }
            ranks[age] = least;
        }
        return ranks;
    }
}
