package org.trainyard.interference.errors;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import org.trainyard.env.Invalid;
import org.trainyard.interference.validation.HeldOutPrediction;

/**
 * How good held-out predictions are; all statistics are of the ratio: the victim's rate beside the neighbour over its
 * rate alone.
 *
 * @param rows number of held-out predictions
 * @param rmse root mean squared error
 * @param mape mean absolute error as a fraction of the measured ratio
 * @param rankCorrelation Spearman's; 0 where one side is constant
 * @param slope regression slope of measured over predicted ratios; 1 is well calibrated, below 1 overconfident
 * @param coverage fraction of the rows inside the 90 % interval, learned on other folds; NaN when there is none
 */
public record Score(
        int rows,
        double rmse,
        double mape,
        @JsonProperty("rankCorrelation") double rankCorrelation,
        double slope,
        double coverage) {

    /** Judges held-out predictions, of which there must be at least one. */
    public static Score of(List<HeldOutPrediction> predictions, double coverage) {
        Invalid.when(predictions.isEmpty(), "no held-out predictions to judge");
        double[] predicted =
                predictions.stream().mapToDouble(HeldOutPrediction::ratio).toArray();
        double[] measured = predictions.stream()
                .mapToDouble(prediction -> prediction.row().ratio())
                .toArray();
        double spread = covariance(predicted, predicted);
        return new Score(
                predictions.size(),
                ErrorStatistics.rmse(measured, predicted),
                ErrorStatistics.mape(measured, predicted),
                ErrorStatistics.rankCorrelation(measured, predicted),
                spread > 1e-12 ? covariance(predicted, measured) / spread : Double.NaN,
                coverage);
    }

    private static double covariance(double[] a, double[] b) {
        double meanA = Arrays.stream(a).average().orElse(0);
        double meanB = Arrays.stream(b).average().orElse(0);
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - meanA) * (b[i] - meanB);
        }
        return sum / a.length;
    }
}
