package org.trainyard.interference.runtimes;

import java.util.Arrays;
import org.trainyard.interference.errors.ErrorStatistics;

/**
 * Errors of a run-time predictor.
 *
 * @param all errors on all test jobs
 * @param recurring errors on the test jobs of recurring groups alone
 */
public record RuntimeScore(String predictor, Errors all, Errors recurring) {
    /**
     * Errors on a set of jobs; all are 0, and the factor 1, for an empty set.
     *
     * @param medianFactor exponential of the median absolute error of the logarithm: half of all predictions are wrong
     *     by at most this factor
     * @param mape mean of the same, which a few very short jobs can make enormous
     * @param logRmse root mean squared error of the natural logarithm
     * @param rankCorrelation Spearman's, -1..1; 0 for a predictor that says the same of all jobs
     */
    public record Errors(int jobs, double medianFactor, double mape, double logRmse, double rankCorrelation) {
        /** The errors of predictions; both arrays hold natural logarithms of seconds, a job each. */
        static Errors of(double[] truth, double[] predicted) {
            int jobs = truth.length;
            if (jobs == 0) {
                return new Errors(0, 1, 0, 0, 0);
            }
            double[] relative = new double[jobs];
            Arrays.setAll(relative, i -> Math.abs(Math.expm1(predicted[i] - truth[i])));
            double mape = Arrays.stream(relative).sum() / jobs;
            double[] logs = new double[jobs];
            Arrays.setAll(logs, i -> Math.abs(predicted[i] - truth[i]));
            Arrays.sort(logs);
            return new Errors(
                    jobs,
                    Math.exp((logs[(jobs - 1) / 2] + logs[jobs / 2]) / 2),
                    mape,
                    ErrorStatistics.rmse(truth, predicted),
                    ErrorStatistics.rankCorrelation(truth, predicted));
        }
    }
}
