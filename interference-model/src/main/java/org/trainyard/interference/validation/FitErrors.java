package org.trainyard.interference.validation;

import java.util.Arrays;
import java.util.List;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.interference.data.InterferenceSample;

/**
 * Errors of an interference model on held-out samples of a profiling campaign, beside those of predicting a constant.
 *
 * @param samples number of held-out samples
 * @param rmse root mean squared error of the slowdown
 * @param mape mean absolute error as a fraction of the measured slowdown; 0.05 is 5 %
 * @param rankCorrelation Spearman's, -1..1; 0 where one side is constant
 * @param meanRmse RMSE of always predicting the mean slowdown of the training samples
 * @param meanMape MAPE of the same constant
 */
public record FitErrors(
        int samples, double rmse, double mape, double rankCorrelation, double meanRmse, double meanMape) {

    /** Judges a model on samples; {@code constant} is the slowdown that the constant predictor says. O(n log n). */
    public static FitErrors of(InterferenceModel model, List<InterferenceSample> samples, double constant) {
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("no samples to judge the model on");
        }
        double[] measured = new double[samples.size()];
        double[] predicted = new double[samples.size()];
        double[] constants = new double[samples.size()];
        Arrays.fill(constants, constant);
        Colocation place = new Colocation();
        for (int i = 0; i < measured.length; i++) {
            InterferenceSample sample = samples.get(i);
            sample.fill(place);
            measured[i] = sample.slowdown();
            predicted[i] = model.slowdown(sample.victim(), place);
        }
        return new FitErrors(
                measured.length,
                ErrorStatistics.rmse(measured, predicted),
                ErrorStatistics.mape(measured, predicted),
                ErrorStatistics.rankCorrelation(measured, predicted),
                ErrorStatistics.rmse(measured, constants),
                ErrorStatistics.mape(measured, constants));
    }
}
