package org.trainyard.experiments.papers.fgd;

/**
 * A figure by how much demand has arrived, in whole per cent of the capacity.
 *
 * <p>At each per cent it is the mean over the arrivals that round to it; where there are none, over those that round to a neighbour; and
 * where there are none either, what it was at the per cent before. That is how the results of Q. Weng et al. (USENIX ATC 2023) are
 * made, but for the last.
 */
final class DemandCurve {
    private final double[] sums;
    private final int[] counts;
    private final double atFirst;

    /** @param atFirst the figure before anything has arrived */
    DemandCurve(int percents, double atFirst) {
        sums = new double[percents + 1];
        counts = new int[percents + 1];
        this.atFirst = atFirst;
    }

    void add(double arrivedPercent, double value) {
        int percent = (int) Math.min(sums.length - 1.0, Math.rint(arrivedPercent));
        sums[percent] += value;
        counts[percent]++;
    }

    /** From 0 per cent on. */
    double[] values() {
        double[] values = new double[sums.length];
        for (int percent = 0; percent < values.length; percent++) {
            double before = percent == 0 ? atFirst : values[percent - 1];
            values[percent] = counts[percent] > 0
                    ? sums[percent] / counts[percent]
                    : mean(Math.max(0, percent - 1), Math.min(values.length - 1, percent + 1), before);
        }
        return values;
    }

    private double mean(int from, int to, double otherwise) {
        double sum = 0;
        int count = 0;
        for (int percent = from; percent <= to; percent++) {
            sum += sums[percent];
            count += counts[percent];
        }
        return count == 0 ? otherwise : sum / count;
    }
}
