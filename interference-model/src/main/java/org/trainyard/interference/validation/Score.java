package org.trainyard.interference.validation;

import java.util.List;
import org.apache.commons.statistics.ranking.NaturalRanking;

/**
 * How good the guesses of a model are; all of the ratio, the victim's rate beside the neighbour over its rate alone.
 *
 * @param rows guesses judged
 * @param rmse root mean squared error
 * @param mape mean absolute error as a part of what was measured
 * @param rankCorrelation Spearman's; 0 where one side is constant
 * @param slope of the measured over the guessed in a straight line through both means; 1 is well calibrated, below 1 too bold
 * @param coverage part of the rows inside the 90 % interval, learned on other folds; NaN when there is none
 */
public record Score(int rows, double rmse, double mape, double rankCorrelation, double slope, double coverage) {

    /** Judges guesses, of which there must be some. */
    public static Score of(List<HeldOutPrediction> guesses, double coverage) {
        if (guesses.isEmpty()) {
            throw new IllegalArgumentException("no guesses to judge");
        }
        double squares = 0;
        double relative = 0;
        for (HeldOutPrediction guess : guesses) {
            squares += guess.error() * guess.error();
            relative += Math.abs(guess.error()) / guess.row().ratio();
        }
        double[] said = guesses.stream().mapToDouble(HeldOutPrediction::ratio).toArray();
        double[] measured =
                guesses.stream().mapToDouble(guess -> guess.row().ratio()).toArray();
        double spread = covariance(said, said);
        NaturalRanking ranking = new NaturalRanking();
        double[] saidRanks = ranking.apply(said.clone());
        double[] measuredRanks = ranking.apply(measured.clone());
        double ranks = covariance(saidRanks, saidRanks) * covariance(measuredRanks, measuredRanks);
        return new Score(
                guesses.size(),
                Math.sqrt(squares / guesses.size()),
                relative / guesses.size(),
                ranks > 0 ? covariance(saidRanks, measuredRanks) / Math.sqrt(ranks) : 0,
                spread > 1e-12 ? covariance(said, measured) / spread : Double.NaN,
                coverage);
    }

    private static double covariance(double[] a, double[] b) {
        double meanA = java.util.Arrays.stream(a).average().orElse(0);
        double meanB = java.util.Arrays.stream(b).average().orElse(0);
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - meanA) * (b[i] - meanB);
        }
        return sum / a.length;
    }
}
