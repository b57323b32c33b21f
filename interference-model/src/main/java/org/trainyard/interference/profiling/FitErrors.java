package org.trainyard.interference.profiling;

import java.util.Arrays;
import java.util.List;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;

/**
 * How wrong a predictor of slowdown is on samples it has not seen, and beside it how wrong a constant would be.
 *
 * @param samples samples it was tried on
 * @param rmse root of the mean squared error of the slowdown
 * @param mape mean absolute error as a part of the measured slowdown; 0.05 is 5 %
 * @param rankCorrelation Spearman's, -1..1; 0 where one side is constant
 * @param meanRmse the same for predicting the mean slowdown of the samples the predictor was fitted on
 * @param meanMape likewise
 */
public record FitErrors(
        int samples, double rmse, double mape, double rankCorrelation, double meanRmse, double meanMape) {

    /** Tries a model on samples; {@code constant} is what the model that always says the same says. O(n log n). */
    public static FitErrors of(InterferenceModel model, List<InterferenceSample> samples, double constant) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no samples to try the model on");
        }
        double[] measured = new double[samples.size()];
        double[] predicted = new double[samples.size()];
        double[] constants = new double[samples.size()];
        Arrays.fill(constants, constant);
        Colocation row = new Colocation();
        for (int i = 0; i < measured.length; i++) {
            samples.get(i).fill(row);
            measured[i] = samples.get(i).slowdown();
            predicted[i] = model.slowdown(samples.get(i).victim(), row);
        }
        return new FitErrors(
                measured.length,
                rmse(measured, predicted),
                mape(measured, predicted),
                correlation(ranks(measured), ranks(predicted)),
                rmse(measured, constants),
                mape(measured, constants));
    }

    private static double rmse(double[] measured, double[] predicted) {
        double sum = 0;
        for (int i = 0; i < measured.length; i++) {
            sum += (predicted[i] - measured[i]) * (predicted[i] - measured[i]);
        }
        return Math.sqrt(sum / measured.length);
    }

    private static double mape(double[] measured, double[] predicted) {
        double sum = 0;
        for (int i = 0; i < measured.length; i++) {
            sum += Math.abs(predicted[i] - measured[i]) / measured[i];
        }
        return sum / measured.length;
    }

    /** The rank of each value from 0; equal values share the mean of their ranks. */
    private static double[] ranks(double[] values) {
        Integer[] order = new Integer[values.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Double.compare(values[a], values[b]));
        double[] ranks = new double[values.length];
        for (int from = 0; from < order.length; ) {
            int to = from + 1;
            while (to < order.length && values[order[to]] == values[order[from]]) {
                to++;
            }
            for (int i = from; i < to; i++) {
                ranks[order[i]] = (from + to - 1) / 2.0;
            }
            from = to;
        }
        return ranks;
    }

    private static double correlation(double[] a, double[] b) {
        double mean = (a.length - 1) / 2.0;
        double ab = 0;
        double aa = 0;
        double bb = 0;
        for (int i = 0; i < a.length; i++) {
            ab += (a[i] - mean) * (b[i] - mean);
            aa += (a[i] - mean) * (a[i] - mean);
            bb += (b[i] - mean) * (b[i] - mean);
        }
        return aa == 0 || bb == 0 ? 0 : ab / Math.sqrt(aa * bb);
    }
}
