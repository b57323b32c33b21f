package org.trainyard.interference.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.performance.Colocation;
import org.trainyard.interference.data.InterferenceSample;
import org.trainyard.interference.model.pressure.NonNegativeLeastSquares;
import org.trainyard.interference.model.pressure.PressureModel;
import org.trainyard.interference.validation.FitErrors;

/**
 * Fits a {@link PressureModel} to the co-locations of a profiling campaign: non-negative least squares on the
 * logarithm of the slowdown.
 *
 * <p>A fifth of the samples, drawn by the seed, is held out to measure the model's errors. The design matrix and
 * its normal equations are ND4J's.
 */
public final class PressureFit {
    /**
     * A fitted model and its errors.
     *
     * @param errors on the held-out samples
     * @param samples number of samples it was fitted on
     * @param seed of the draw of the held-out samples
     */
    public record Fitted(PressureModel model, FitErrors errors, int samples, long seed) {}

    private static final int FOLDS = 5;
    /** Descents on three well-scaled coefficients reach machine precision long before. */
    private static final int SWEEPS = 5000;

    private PressureFit() {}

    /** Fits on four fifths of at least ten samples and measures errors on the rest; stream {@code pressure fit}. */
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
        double[][] features = new double[samples.size()][];
        double[] logSlowdown = new double[samples.size()];
        Colocation place = new Colocation();
        for (int i = 0; i < features.length; i++) {
            InterferenceSample sample = samples.get(i);
            sample.fill(place);
            features[i] = PressureModel.features(sample.victim(), place);
            logSlowdown[i] = Math.log(sample.slowdown());
        }
        double[] beta = new double[PressureModel.FEATURES];
        try (INDArray x = Nd4j.create(features).castTo(DataType.DOUBLE);
                INDArray y = Nd4j.create(logSlowdown, new long[] {samples.size(), 1}, DataType.DOUBLE);
                INDArray gram = x.transpose().mmul(x);
                INDArray moment = x.transpose().mmul(y)) {
            NonNegativeLeastSquares.descend(
                    gram.reshape(gram.length()).toDoubleVector(),
                    moment.reshape(beta.length).toDoubleVector(),
                    new double[beta.length],
                    beta,
                    SWEEPS);
        }
        return new PressureModel(beta[0], beta[1], beta[2]);
    }
}
