package org.trainyard.interference.runtime;

/**
 * How wrong a predictor of run times is.
 *
 * @param predictor its name
 * @param all its errors on all jobs it was tried on
 * @param recurring its errors on those of recurring groups alone
 */
public record RuntimeScore(String predictor, Errors all, Errors recurring) {
    /**
     * Errors on a set of jobs.
     *
     * @param jobs how many; the rest is 0 without any
     * @param medianApe median absolute error as a part of the true run time; 0.5 is 50 %
     * @param mape mean of the same, which a few very short jobs can make enormous
     * @param logRmse root of the mean squared error of the natural logarithm
     * @param rankCorrelation Spearman's, -1..1; 0 for a predictor that says the same of all
     */
    public record Errors(int jobs, double medianApe, double mape, double logRmse, double rankCorrelation) {}
}
