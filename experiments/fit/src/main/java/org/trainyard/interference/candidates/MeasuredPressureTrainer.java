package org.trainyard.interference.candidates;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.model.PairEncoder;
import org.trainyard.interference.model.pressure.MeasuredPressure;

/**
 * Fits the pressures and sensitivities of {@link MeasuredPressure} to measured pairs, one fit per domain.
 *
 * <p>Alternating least squares on the logarithm of the ratio: with the pressures held, the sensitivities are a
 * non-negative ridge regression ({@link NonNegativeLeastSquares}), and the other way round. A row weighs by the square
 * of its ratio, so that its error counts as an error of the ratio itself. Trait coefficients have the largest ridge
 * penalty: a table has few architectures, and trait coefficients that overfit them mislead on new ones.
 */
public final class MeasuredPressureTrainer {
    private static final int KINDS = 3;
    private static final int ROUNDS = 12;
    private static final int SWEEPS = 40;
    private static final double LABEL_COST = 0.3;
    private static final double ARCHITECTURE_COST = 0.15;
    private static final double TRAIT_COST = 1;

    private final PairEncoder encoder;
    private final double[] target;
    private final double[] weight;
    private final double[][] victims;
    private final double[][] neighbours;

    private MeasuredPressureTrainer(List<Measurement> rows) {
        encoder = PairEncoder.of(rows, PairEncoder.Identity.LABELS, Trait.all());
        target = rows.stream().mapToDouble(row -> -Math.log(row.ratio())).toArray();
        weight = rows.stream()
                .mapToDouble(row -> row.weight() * row.ratio() * row.ratio())
                .toArray();
        victims = rows.stream().map(row -> columns(row.victim())).toArray(double[][]::new);
        neighbours = rows.stream().map(row -> columns(row.neighbour())).toArray(double[][]::new);
    }

    private double[] columns(JobType type) {
        return MeasuredPressure.columns(encoder, type);
    }

    /** Fits the rows of one scope; stream {@code pressure trainer}. */
    public static MeasuredPressure train(List<Measurement> rows, long seed) {
        TreeMap<Domain, List<Measurement>> byDomain = new TreeMap<>();
        rows.forEach(row -> byDomain.computeIfAbsent(row.domain(), domain -> new ArrayList<>())
                .add(row));
        List<MeasuredPressure.Fit> fits = new ArrayList<>();
        byDomain.forEach((domain, its) -> fits.add(new MeasuredPressureTrainer(its).fit(domain, seed)));
        return new MeasuredPressure(fits);
    }

    private MeasuredPressure.Fit fit(Domain domain, long seed) {
        int width = MeasuredPressure.width(encoder);
        double[][] sensitivity = new double[KINDS][width];
        double[][] pressure = new double[KINDS][width];
        RandomGenerator random = RandomStreams.stream(seed, "pressure trainer");
        for (int k = 0; k < KINDS; k++) {
            for (int i = 0; i < width; i++) {
                sensitivity[k][i] = random.nextDouble() / width;
                pressure[k][i] = random.nextDouble() / width;
            }
            sensitivity[k][0] = 0.5;
            pressure[k][0] = 0.5;
        }
        for (int round = 0; round < ROUNDS; round++) {
            solve(sensitivity, victims, pressure, neighbours);
            solve(pressure, neighbours, sensitivity, victims);
        }
        return new MeasuredPressure.Fit(domain, encoder, lists(sensitivity), lists(pressure));
    }

    private static List<List<Double>> lists(double[][] values) {
        return Arrays.stream(values)
                .map(row -> Arrays.stream(row).boxed().toList())
                .toList();
    }

    /** Improves one side's coefficients while the other's are held. */
    private void solve(double[][] free, double[][] freeColumns, double[][] held, double[][] heldColumns) {
        int width = free[0].length;
        double[][] design = new double[target.length][KINDS * width];
        double[] goal = new double[target.length];
        for (int row = 0; row < design.length; row++) {
            double root = Math.sqrt(weight[row]);
            goal[row] = root * target[row];
            for (int k = 0; k < KINDS; k++) {
                double strength = root * dot(held[k], heldColumns[row]);
                for (int i = 0; i < width; i++) {
                    design[row][k * width + i] = strength * freeColumns[row][i];
                }
            }
        }
        double[] beta = new double[KINDS * width];
        for (int k = 0; k < KINDS; k++) {
            System.arraycopy(free[k], 0, beta, k * width, width);
        }
        double[] ridge = new double[beta.length];
        Arrays.setAll(ridge, i -> cost(i % width));
        NonNegativeLeastSquares.solve(design, goal, ridge, beta, SWEEPS);
        for (int k = 0; k < KINDS; k++) {
            System.arraycopy(beta, k * width, free[k], 0, width);
        }
    }

    private double cost(int column) {
        int labels = 1 + encoder.architectures().size();
        int traits = labels + encoder.labels().size();
        return column >= traits ? TRAIT_COST : column >= labels ? LABEL_COST : column >= 1 ? ARCHITECTURE_COST : 1e-3;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
