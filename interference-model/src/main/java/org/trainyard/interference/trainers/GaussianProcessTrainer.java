package org.trainyard.interference.trainers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.gaussianprocess.GaussianProcessModel;
import org.trainyard.interference.model.gaussianprocess.Kernel;
import org.trainyard.interference.model.gaussianprocess.KernelTerm;

/**
 * Fits a Gaussian process to measured pairs; the variances of the {@link KernelTerm}s and of the noise maximise the
 * marginal likelihood of the training rows.
 *
 * <p>C. E. Rasmussen, C. K. I. Williams: Gaussian processes for machine learning, 2006, equations 2.25 and 5.9; the
 * ascent follows the signs of the gradient (M. Riedmiller, H. Braun: Rprop, 1993). Our deviations: (1) a weak prior
 * holds the logarithm of each variance near a tenth of the ratio's; (2) variances are learned from
 * {@link #LEARNED_FROM} rows drawn at random; (3) rows that repeat a pair on the same hardware are averaged first. The
 * terms, their length scales and the prior were chosen with DeepShare's and Gavel's data in sight, so cross-validated
 * errors on these are somewhat optimistic.
 */
public final class GaussianProcessTrainer {
    private static final int LEARNED_FROM = 500;
    private static final int STEPS = 30;
    private static final double PRIOR = 0.1;

    private final PairEncoder scale;
    private final List<JobType> types;
    private final List<KernelTerm> terms;
    private final double[][][] victims;
    private final double[][][] neighbours;
    private final double mean;

    /** A pair as indices, its mean ratio and its weight. */
    private record Row(int victim, int neighbour, int hardware, double ratio, double weight) {}

    private GaussianProcessTrainer(List<Measurement> rows) {
        scale = PairEncoder.of(rows, PairEncoder.Identity.NONE, traits());
        Map<String, JobType> byLabel = new TreeMap<>();
        for (Measurement row : rows) {
            byLabel.putIfAbsent(row.victim().label(), row.victim());
            byLabel.putIfAbsent(row.neighbour().label(), row.neighbour());
        }
        types = List.copyOf(byLabel.values());
        terms = KernelTerm.all(scale.hardware().size());
        double[][][] tables = Arrays.stream(Kernel.values())
                .map(its -> its.table(scale, types))
                .toArray(double[][][]::new);
        victims = terms.stream().map(term -> tables[term.victim().place()]).toArray(double[][][]::new);
        neighbours =
                terms.stream().map(term -> tables[term.neighbour().place()]).toArray(double[][][]::new);
        double sum = 0;
        double weights = 0;
        for (Measurement row : rows) {
            sum += row.weight() * row.ratio();
            weights += row.weight();
        }
        mean = sum / weights;
    }

    /** All traits but the one that follows from two others. */
    private static Set<Trait> traits() {
        Set<Trait> traits = new TreeSet<>(Trait.all());
        traits.remove(Trait.GPUS_PER_SERVER);
        return traits;
    }

    /** Fits the rows of one scope; stream {@code process trainer}. */
    public static GaussianProcessModel train(List<Measurement> rows, long seed) {
        GaussianProcessTrainer trainer = new GaussianProcessTrainer(rows);
        List<Row> all = trainer.joined(rows);
        double[] variances = trainer.learn(drawn(all, RandomStreams.stream(seed, "process trainer")));
        double[] strengths = new Solved(trainer, all, variances, false).strengths;
        int count = trainer.types.size();
        double[] evidence = new double[Math.max(1, trainer.scale.hardware().size()) * count * count];
        for (int i = 0; i < strengths.length; i++) {
            Row row = all.get(i);
            evidence[(row.hardware() * count + row.victim()) * count + row.neighbour()] = strengths[i];
        }
        return new GaussianProcessModel(
                trainer.scale,
                trainer.types,
                trainer.mean,
                Arrays.stream(variances, 0, trainer.terms.size()).boxed().toList(),
                Arrays.stream(evidence).boxed().toList());
    }

    private List<Row> joined(List<Measurement> rows) {
        List<String> labels = types.stream().map(JobType::label).toList();
        Map<Integer, Row> byPair = new TreeMap<>();
        for (Measurement row : rows) {
            int victim = labels.indexOf(row.victim().label());
            int neighbour = labels.indexOf(row.neighbour().label());
            int hardware = Math.max(0, scale.hardware().indexOf(row.hardware()));
            Row one = new Row(victim, neighbour, hardware, row.ratio(), row.weight());
            byPair.merge(
                    (hardware * labels.size() + victim) * labels.size() + neighbour,
                    one,
                    (a, b) -> new Row(
                            victim,
                            neighbour,
                            hardware,
                            (a.weight() * a.ratio() + b.weight() * b.ratio()) / (a.weight() + b.weight()),
                            a.weight() + b.weight()));
        }
        return List.copyOf(byPair.values());
    }

    private static List<Row> drawn(List<Row> rows, RandomGenerator random) {
        List<Row> left = new ArrayList<>(rows);
        List<Row> drawn = new ArrayList<>();
        while (!left.isEmpty() && drawn.size() < LEARNED_FROM) {
            int at = random.nextInt(left.size());
            drawn.add(left.get(at));
            left.set(at, left.get(left.size() - 1));
            left.remove(left.size() - 1);
        }
        return drawn;
    }

    /** The variances of the terms, then that of the noise. */
    private double[] learn(List<Row> rows) {
        double spread = rows.stream()
                .mapToDouble(row -> (row.ratio() - mean) * (row.ratio() - mean))
                .average()
                .orElse(0);
        // Equal ratios everywhere leave nothing to learn, but still must have an answer.
        double variance = Math.max(spread, 1e-8);
        int count = terms.size() + 1;
        double[] logs = new double[count];
        double[] steps = new double[count];
        double[] before = new double[count];
        Arrays.fill(logs, Math.log(variance / terms.size()));
        logs[count - 1] = Math.log(variance / 4);
        Arrays.fill(steps, 0.5);
        for (int step = 0; step < STEPS; step++) {
            double[] variances = Arrays.stream(logs).map(Math::exp).toArray();
            double[] slope = new Solved(this, rows, variances, true).slope(this);
            for (int i = 0; i < count; i++) {
                double downhill = slope[i] + 2 * PRIOR * (logs[i] - Math.log(variance / 10));
                double turned = downhill * before[i];
                steps[i] = turned > 0 ? Math.min(2, 1.3 * steps[i]) : turned < 0 ? 0.4 * steps[i] : steps[i];
                before[i] = turned < 0 ? 0 : downhill;
                logs[i] -= Math.signum(before[i]) * steps[i];
            }
        }
        return Arrays.stream(logs).map(Math::exp).toArray();
    }

    private double term(int t, Row a, Row b) {
        return terms.get(t).ownHardware() && a.hardware() != b.hardware()
                ? 0
                : victims[t][a.victim()][b.victim()] * neighbours[t][a.neighbour()][b.neighbour()];
    }

    /** The covariance of some rows under given variances, solved for their ratios. */
    private static final class Solved {
        private final List<Row> rows;
        private final double[] variances;
        /** The inverse covariance times the rows' deviations from the mean. */
        private final double[] strengths;

        private final double[][] inverse;

        Solved(GaussianProcessTrainer trainer, List<Row> rows, double[] variances, boolean inverted) {
            this.rows = rows;
            this.variances = variances;
            int n = rows.size();
            double[] covariance = new double[n * n];
            double[] off = new double[n];
            for (int i = 0; i < n; i++) {
                for (int k = 0; k <= i; k++) {
                    double sum = 0;
                    for (int t = 0; t < variances.length - 1; t++) {
                        sum += variances[t] * trainer.term(t, rows.get(i), rows.get(k));
                    }
                    covariance[i * n + k] = sum;
                    covariance[k * n + i] = sum;
                }
                covariance[i * n + i] +=
                        variances[variances.length - 1] / rows.get(i).weight() + 1e-9;
                off[i] = rows.get(i).ratio() - trainer.mean;
            }
            try (PositiveDefinite factored = new PositiveDefinite(covariance, n)) {
                strengths = factored.solve(off);
                inverse = inverted ? factored.inverse() : new double[0][];
            }
        }

        /** The gradient of the negative log marginal likelihood by the logarithm of each variance. */
        double[] slope(GaussianProcessTrainer trainer) {
            double[] slope = new double[variances.length];
            int noise = variances.length - 1;
            for (int i = 0; i < strengths.length; i++) {
                for (int k = 0; k <= i; k++) {
                    double at = inverse[i][k] - strengths[i] * strengths[k];
                    double twice = i == k ? at / 2 : at;
                    for (int t = 0; t < noise; t++) {
                        slope[t] += twice * variances[t] * trainer.term(t, rows.get(i), rows.get(k));
                    }
                    if (i == k) {
                        slope[noise] += twice * variances[noise] / rows.get(i).weight();
                    }
                }
            }
            return slope;
        }
    }
}
