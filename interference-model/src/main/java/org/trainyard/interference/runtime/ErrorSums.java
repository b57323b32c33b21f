package org.trainyard.interference.runtime;

import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import java.util.Arrays;
import org.apache.commons.statistics.ranking.NaturalRanking;

/** Gathers true and predicted run times, as logarithms of seconds, into errors. */
final class ErrorSums {
    private final DoubleArrayList truth = new DoubleArrayList();
    private final DoubleArrayList guess = new DoubleArrayList();

    void add(double trueLog, double guessedLog) {
        truth.add(trueLog);
        guess.add(guessedLog);
    }

    RuntimeScore.Errors errors() {
        int jobs = truth.size();
        if (jobs == 0) {
            return new RuntimeScore.Errors(0, 0, 0, 0, 0);
        }
        double[] relative = new double[jobs];
        double squares = 0;
        for (int i = 0; i < jobs; i++) {
            double difference = guess.getDouble(i) - truth.getDouble(i);
            relative[i] = Math.abs(Math.expm1(difference));
            squares += difference * difference;
        }
        double mape = Arrays.stream(relative).sum() / jobs;
        Arrays.sort(relative);
        return new RuntimeScore.Errors(
                jobs,
                (relative[(jobs - 1) / 2] + relative[jobs / 2]) / 2,
                mape,
                Math.sqrt(squares / jobs),
                rankCorrelation(truth.toDoubleArray(), guess.toDoubleArray()));
    }

    /** Spearman's; equal values share the mean of their ranks. */
    private static double rankCorrelation(double[] a, double[] b) {
        double[] ranksA = new NaturalRanking().apply(a);
        double[] ranksB = new NaturalRanking().apply(b);
        double mean = (a.length + 1) / 2.0;
        double ab = 0;
        double aa = 0;
        double bb = 0;
        for (int i = 0; i < a.length; i++) {
            ab += (ranksA[i] - mean) * (ranksB[i] - mean);
            aa += (ranksA[i] - mean) * (ranksA[i] - mean);
            bb += (ranksB[i] - mean) * (ranksB[i] - mean);
        }
        return aa == 0 || bb == 0 ? 0 : ab / Math.sqrt(aa * bb);
    }
}
