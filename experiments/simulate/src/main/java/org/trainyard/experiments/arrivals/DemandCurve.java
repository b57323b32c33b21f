package org.trainyard.experiments.arrivals;

/**
 * A metric over the demand that has arrived, in whole per cent of the capacity.
 *
 * <p>The value at a per cent is the mean over the arrivals that round to it; without any, the mean over those that
 * round to a neighbour; without these, the value at the per cent before. The results of Q. Weng et al. (USENIX ATC
 * 2023) are computed in this way, except for the last rule.
 */
final class DemandCurve {
    private final double[] sums;
    private final int[] counts;
    private final double atFirst;

    /** @param atFirst the value before the first arrival */
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

    /** The values from 0 per cent on. */
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
