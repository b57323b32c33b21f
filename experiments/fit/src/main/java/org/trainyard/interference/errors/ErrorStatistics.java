package org.trainyard.interference.errors;

import org.apache.commons.statistics.ranking.NaturalRanking;

/** Error statistics of predictions against measured values, both in the same order and at least one of each. */
public final class ErrorStatistics {
    private ErrorStatistics() {}

    /** Root mean squared error. */
    public static double rmse(double[] measured, double[] predicted) {
        double sum = 0;
        for (int i = 0; i < measured.length; i++) {
            double error = predicted[i] - measured[i];
            sum += error * error;
        }
        return Math.sqrt(sum / measured.length);
    }

    /** Mean absolute error as a fraction of the measured value; 0.05 is 5 %. */
    public static double mape(double[] measured, double[] predicted) {
        double sum = 0;
        for (int i = 0; i < measured.length; i++) {
            sum += Math.abs(predicted[i] - measured[i]) / measured[i];
        }
        return sum / measured.length;
    }

    /**
     * Spearman's rank correlation, -1..1; equal values share the mean of their ranks. 0 where one side is constant. O(n
     * log n).
     */
    public static double rankCorrelation(double[] measured, double[] predicted) {
        NaturalRanking ranking = new NaturalRanking();
        double[] a = ranking.apply(measured.clone());
        double[] b = ranking.apply(predicted.clone());
        double mean = (a.length + 1) / 2.0;
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
