package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.statistics.ranking.NaturalRanking;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * The difference between a believed and a true interference model over all pairs of models of the catalogue on servers with 8 GPUs.
 *
 * @param pairs number of co-locations: every victim beside every neighbour, on one GPU, on one socket and over the network
 * @param rmse root mean squared difference of the slowdowns
 * @param rankCorrelation Spearman's rank correlation of the slowdowns
 * @param bias mean of believed minus true slowdown
 */
public record TruthMismatch(int pairs, double rmse, double rankCorrelation, double bias) {

    /** Compares the two on the built-in catalogue. */
    public static TruthMismatch between(InterferenceModel belief, InterferenceModel truth) {
        List<Double> believed = new ArrayList<>();
        List<Double> real = new ArrayList<>();
        Colocation place = new Colocation();
        for (ModelProfile victim : ModelCatalog.standard().profiles()) {
            for (ModelProfile neighbour : ModelCatalog.standard().profiles()) {
                for (int shared = 0; shared < 3; shared++) {
                    place.reset(8, 4, shared == 2);
                    place.add(neighbour, 4, shared == 2, shared == 1, shared == 0);
                    believed.add(belief.slowdown(victim, place));
                    real.add(truth.slowdown(victim, place));
                }
            }
        }
        double[] a = believed.stream().mapToDouble(Double::doubleValue).toArray();
        double[] b = real.stream().mapToDouble(Double::doubleValue).toArray();
        double squares = 0;
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            squares += (a[i] - b[i]) * (a[i] - b[i]);
            sum += a[i] - b[i];
        }
        return new TruthMismatch(a.length, Math.sqrt(squares / a.length), correlation(a, b), sum / a.length);
    }

    private static double correlation(double[] a, double[] b) {
        double[] x = new NaturalRanking().apply(a.clone());
        double[] y = new NaturalRanking().apply(b.clone());
        double mean = (x.length + 1) / 2.0;
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int i = 0; i < x.length; i++) {
            xy += (x[i] - mean) * (y[i] - mean);
            xx += (x[i] - mean) * (x[i] - mean);
            yy += (y[i] - mean) * (y[i] - mean);
        }
        return xx == 0 || yy == 0 ? 0 : xy / Math.sqrt(xx * yy);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "RMSE %.3f, rank correlation %.3f, bias %+.3f over %d places",
                rmse,
                rankCorrelation,
                bias,
                pairs);
    }
}
