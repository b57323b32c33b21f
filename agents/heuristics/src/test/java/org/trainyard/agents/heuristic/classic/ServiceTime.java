package org.trainyard.agents.heuristic.classic;

import java.util.random.RandomGenerator;

/** Service times with a mean of one, for queues that have been solved. */
enum ServiceTime {
    EXPONENTIAL(2) {
        @Override
        double draw(RandomGenerator random) {
            return -Math.log1p(-random.nextDouble());
        }

        @Override
        double density(double x) {
            return Math.exp(-x);
        }
    },
    UNIFORM(4.0 / 3) {
        @Override
        double draw(RandomGenerator random) {
            return 2 * random.nextDouble();
        }

        @Override
        double density(double x) {
            return x < 2 ? 0.5 : 0;
        }
    },
    DETERMINISTIC(1) {
        @Override
        double draw(RandomGenerator random) {
            return 1;
        }

        @Override
        double density(double x) {
            throw new UnsupportedOperationException("a constant has no density");
        }
    },
    /** With a logarithm of standard deviation 1. */
    LOGNORMAL(Math.E) {
        @Override
        double draw(RandomGenerator random) {
            return Math.exp(random.nextGaussian() - 0.5);
        }

        @Override
        double density(double x) {
            double z = Math.log(x) + 0.5;
            return Math.exp(-z * z / 2) / (x * Math.sqrt(2 * Math.PI));
        }
    };

    private static final int STEPS = 200_000;
    private static final double LEAST = 1e-7;
    private static final double MOST = 1e3;

    private final double secondMoment;

    ServiceTime(double secondMoment) {
        this.secondMoment = secondMoment;
    }

    abstract double draw(RandomGenerator random);

    abstract double density(double x);

    /**
     * Mean response time of M/G/1 in order of arrival, in mean service times (F. Pollaczek: Über eine Aufgabe der
     * Wahrscheinlichkeitstheorie, 1930; A. Khinchine, 1932).
     */
    double fifoResponse(double load) {
        return 1 + load * secondMoment / (2 * (1 - load));
    }

    /**
     * Mean response time of M/G/1 under shortest remaining processing time, in mean service times (L. Schrage, L.
     * Miller: The queue M/G/1 with the shortest remaining processing time discipline, 1966), by the midpoint rule on a
     * geometric grid.
     */
    double srptResponse(double load) {
        double factor = Math.pow(MOST / LEAST, 1.0 / STEPS);
        double cdf = 0;
        double loadBelow = 0;
        double secondBelow = 0;
        double residence = 0;
        double mean = 0;
        double from = LEAST;
        for (int i = 0; i < STEPS; i++) {
            double width = from * (factor - 1);
            double x = from + width / 2;
            double mass = density(x) * width;
            // Everything below x, half of this step's included.
            double rho = loadBelow + load * x * mass / 2;
            double second = secondBelow + x * x * mass / 2;
            double tail = 1 - cdf - mass / 2;
            double inside = residence + width / 2 / (1 - rho);
            mean += mass * (load * (second + x * x * tail) / (2 * (1 - rho) * (1 - rho)) + inside);
            cdf += mass;
            loadBelow += load * x * mass;
            secondBelow += x * x * mass;
            residence += width / (1 - rho);
            from += width;
        }
        if (Math.abs(cdf - 1) > 1e-4 || Math.abs(loadBelow - load) > 1e-4) {
            throw new AssertionError("the grid holds (%s) of the jobs and (%s) of the load".formatted(cdf, loadBelow));
        }
        return mean;
    }
}
