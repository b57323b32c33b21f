package org.trainyard.env.workload.freezing;

import java.util.List;

/** The energy of a network's gradients, their squared norm, by layer and progress of the training. */
public sealed interface GradientEnergy {
    /** Energy in the first layers at a progress of 0..1, relative to a unit of its own. */
    double upTo(int prefix, int layers, double progress);

    /** The share of the variance of the gradient in the first layers; that of the energy where it is not known. */
    default double varianceShare(int prefix, int layers, double progress) {
        return upTo(prefix, layers, progress) / upTo(layers, layers, progress);
    }

    /**
     * Layers that converge from the front: the energy of layer {@code l} of {@code L} is 1 up to a progress of
     * {@code (l / L)^exponent x last} and then falls exponentially.
     *
     * <p>Our reconstruction of what IceFrog assumes for jobs without measurements: only the times of convergence are
     * from notes on it; the decay is our own.
     *
     * @param exponent above 1 front layers converge earlier
     * @param last progress at which the last layer converges
     * @param decay by which the energy falls by a factor of e in a progress of its inverse
     */
    record Converging(double exponent, double last, double decay) implements GradientEnergy {
        /** Layers converge at even intervals over nine tenths of the training. */
        public static final Converging DEFAULT = new Converging(1, 0.9, 10);

        public Converging {
            if (!(exponent > 0 && last > 0 && last <= 1 && decay > 0 && decay < 100 && exponent < 100)) {
                throw new IllegalArgumentException(
                        "exponent (%s) and decay (%s) must be above 0 and below 100, the last convergence (%s) at 0 to 1"
                                .formatted(exponent, decay, last));
            }
        }

        @Override
        public double upTo(int prefix, int layers, double progress) {
            double sum = 0;
            for (int layer = 1; layer <= prefix; layer++) {
                double converged = Math.pow((double) layer / layers, exponent) * last;
                sum += Math.exp(-decay * Math.max(0, progress - converged));
            }
            return sum;
        }
    }

    /**
     * Measured energies, between which progress and layers are interpolated linearly. Before the first measurement the
     * energy is spread evenly over the layers at progress 0.
     *
     * @param progress of the measurements, rising to 1
     * @param totals energy of all layers at each measurement
     * @param blockLayers the prefixes that were measured are multiples of it
     * @param shares of the energy by measurement and prefix, from one block on
     * @param varianceShares of the variance, likewise
     */
    record Measured(
            List<Double> progress,
            List<Double> totals,
            int blockLayers,
            List<List<Double>> shares,
            List<List<Double>> varianceShares)
            implements GradientEnergy {
        public Measured {
            progress = List.copyOf(progress);
            totals = List.copyOf(totals);
            shares = List.copyOf(shares);
            varianceShares = List.copyOf(varianceShares);
            int rows = progress.size();
            if (rows == 0 || totals.size() != rows || shares.size() != rows || varianceShares.size() != rows) {
                throw new IllegalArgumentException(
                        "measurements of (%d) times, (%d) totals, (%d) and (%d) rows of shares"
                                .formatted(rows, totals.size(), shares.size(), varianceShares.size()));
            }
        }

        @Override
        public double upTo(int prefix, int layers, double at) {
            return total(at) * (prefix == layers ? 1 : interpolated(shares, prefix, layers, at));
        }

        @Override
        public double varianceShare(int prefix, int layers, double at) {
            return prefix == layers ? 1 : interpolated(varianceShares, prefix, layers, at);
        }

        private double total(double at) {
            int next = next(at);
            double before = next == 0 ? totals.get(0) : totals.get(next - 1);
            return before + (totals.get(next) - before) * part(at, next);
        }

        private int next(double at) {
            int next = 0;
            while (next < progress.size() - 1 && progress.get(next) < at) {
                next++;
            }
            return next;
        }

        /** How far the progress lies between the measurement before and this one, 0..1. */
        private double part(double at, int next) {
            double from = next == 0 ? 0 : progress.get(next - 1);
            return Math.min(1, (at - from) / (progress.get(next) - from));
        }

        private double interpolated(List<List<Double>> rows, int prefix, int layers, double at) {
            int next = next(at);
            double before = next == 0 ? (double) prefix / layers : of(rows.get(next - 1), prefix, layers);
            return before + (of(rows.get(next), prefix, layers) - before) * part(at, next);
        }

        private double of(List<Double> row, int prefix, int layers) {
            int block = Math.min(prefix / blockLayers, row.size());
            double from = block == 0 ? 0 : row.get(block - 1);
            double to = block == row.size() ? 1 : row.get(block);
            int begin = block * blockLayers;
            int end = block == row.size() ? layers : begin + blockLayers;
            return from + (to - from) * (prefix - begin) / (end - begin);
        }
    }
}
