package org.trainyard.interference.profiling;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.Colocation;

/**
 * Fits a pressure model to measured co-locations: non-negative least squares on the logarithm of the slowdown.
 *
 * <p>A fifth of the samples, drawn by the seed, is held out to say how wrong the model is. The design matrix and its
 * normal equations
 * are ND4J's; nothing here belongs in a step loop.
 */
public final class PressureFit {
    /**
     * A model, how it came about and how wrong it is.
     *
     * @param samples samples it was fitted on; the errors are those on the others
     * @param seed what decided which samples were held out
     */
    public record Fitted(PressureModel model, FitErrors errors, int samples, long seed) {}

    private static final int FOLDS = 5;

    private PressureFit() {}

    /** Fits on four fifths of at least ten samples and tries on the rest; stream {@code pressure fit}. */
    public static Fitted fit(List<InterferenceSample> samples, long seed) {
        if (samples.size() < 2 * FOLDS) {
            throw new IllegalArgumentException(
                    "a fit needs at least (%d) samples, not (%d)".formatted(2 * FOLDS, samples.size()));
        }
        List<InterferenceSample> known = new ArrayList<>(samples);
        List<InterferenceSample> heldOut = new ArrayList<>();
        RandomGenerator random = RandomStreams.stream(seed, "pressure fit");
        for (int i = 0; i < samples.size() / FOLDS; i++) {
            heldOut.add(known.remove(random.nextInt(known.size())));
        }
        PressureModel model = leastSquares(known);
        double mean = known.stream()
                .mapToDouble(InterferenceSample::slowdown)
                .average()
                .orElseThrow();
        return new Fitted(model, FitErrors.of(model, heldOut, mean), known.size(), seed);
    }

    private static PressureModel leastSquares(List<InterferenceSample> samples) {
        double[][] features = new double[samples.size()][PressureFeatures.COUNT];
        double[] logSlowdown = new double[samples.size()];
        Colocation row = new Colocation();
        for (int i = 0; i < features.length; i++) {
            InterferenceSample sample = samples.get(i);
            sample.fill(row);
            features[i][0] = PressureFeatures.socket(sample.victim(), row);
            features[i][1] = PressureFeatures.pcie(sample.victim(), row);
            features[i][2] = PressureFeatures.nic(sample.victim(), row);
            logSlowdown[i] = Math.log(sample.slowdown());
        }
        try (INDArray x = Nd4j.create(features).castTo(DataType.DOUBLE);
                INDArray y = Nd4j.create(logSlowdown, new long[] {samples.size(), 1}, DataType.DOUBLE);
                INDArray gram = x.transpose().mmul(x);
                INDArray moment = x.transpose().mmul(y)) {
            double[] beta = NonNegativeLeastSquares.solve(
                    gram.toDoubleMatrix(),
                    moment.reshape(PressureFeatures.COUNT).toDoubleVector());
            return new PressureModel(beta[0], beta[1], beta[2]);
        }
    }
}
