package org.trainyard.experiments.papers.pollux;

import java.util.Arrays;
import java.util.List;
import org.trainyard.env.Invalid;
import org.trainyard.env.workload.goodput.ThroughputParameters;

/**
 * The fit of {@link ThroughputParameters} to measured times: least error of the logarithms of compute and of step
 * times, which weighs all placements alike.
 *
 * <p>The objective is the sum of the two root mean squared errors, a small penalty on overlap and one on growth by
 * replicas relative to the constant part. Parameters that no measurement determines keep a prior: without steps of
 * several replicas on a server, or on several servers, synchronisation there is free, and without steps of more than
 * two replicas it does not grow. As long as no step spanned servers, synchronisation across them is assumed 1.1 times
 * that inside.
 *
 * <p>Source: adaptdl, the implementation of A. Qiao et al.: Pollux: co-adaptive cluster scheduling for
 * goodput-optimized deep learning, OSDI 2021, section 4.1, as of its artifact. Our deviation: (1) BFGS on the
 * logarithms of the parameters with numeric gradients, there L-BFGS-B.
 */
final class ThroughputFit {
    /**
     * Times measured with one placement and local batch.
     *
     * @param computeSeconds gradients of one local batch, seconds
     * @param stepSeconds the same with synchronisation, seconds
     */
    record Measurement(int nodes, int replicas, int localBatch, double computeSeconds, double stepSeconds) {
        Measurement {
            if (nodes < 1 || replicas < nodes || localBatch < 1 || !(computeSeconds > 0) || !(stepSeconds > 0)) {
                throw new IllegalArgumentException(
                        "a measurement needs servers (%d), as many replicas (%d), a batch (%d) and times (%s, %s s) above zero"
                                .formatted(nodes, replicas, localBatch, computeSeconds, stepSeconds));
            }
        }
    }

    private static final double LEAST = 1e-8;
    private static final double MULTIPLE_NODES = 1.1;
    private static final double OVERLAP_PENALTY = 1e-3;
    private static final double GROWTH_PENALTY = 1e-2;
    private static final int STEPS = 200;
    private static final int GAMMA = 6;

    private final List<Measurement> measured;
    private final double[] start = {0.1, 0.01, 0.1, 0.01, 0.1, 0.01, 1.001};
    private final boolean[] isFree = {true, true, true, true, true, true, true};

    private ThroughputFit(List<Measurement> measured) {
        this.measured = measured;
        if (measured.stream().mapToInt(Measurement::localBatch).distinct().count() == 1) {
            fix(
                    0,
                    measured.stream()
                                    .mapToDouble(Measurement::computeSeconds)
                                    .average()
                                    .orElseThrow()
                            / 2);
        }
        if (measured.stream().noneMatch(one -> one.nodes() > 1)) {
            fix(2, LEAST);
            fix(3, LEAST);
        }
        if (measured.stream().noneMatch(one -> one.nodes() == 1 && one.replicas() > 1)) {
            fix(4, LEAST);
            fix(5, LEAST);
        }
        if (measured.stream().noneMatch(one -> one.replicas() > 2)) {
            fix(3, LEAST);
            fix(5, LEAST);
        }
    }

    /** The parameters that fit at least one measurement best. */
    static ThroughputParameters to(List<Measurement> measured) {
        Invalid.when(measured.isEmpty(), "a fit needs at least one measurement");
        ThroughputFit fit = new ThroughputFit(List.copyOf(measured));
        double[] fitted = fit.parameters(new QuasiNewton(fit::objective, STEPS).minimise(fit.coordinates()));
        if (!fit.isFree[2]) {
            fitted[2] = Math.max(fitted[2], MULTIPLE_NODES * fitted[4]);
            fitted[3] = Math.max(fitted[3], MULTIPLE_NODES * fitted[5]);
        }
        return record(fitted);
    }

    /** The sum of the root mean squared errors of the logarithms of compute and step times. */
    static double error(ThroughputParameters parameters, List<Measurement> measured) {
        double compute = 0;
        double step = 0;
        for (Measurement one : measured) {
            double computeError = Math.log(parameters.computeSeconds(one.localBatch()) / one.computeSeconds());
            double stepError =
                    Math.log(parameters.stepSeconds(one.nodes(), one.replicas(), one.localBatch()) / one.stepSeconds());
            compute += computeError * computeError;
            step += stepError * stepError;
        }
        return Math.sqrt(compute / measured.size()) + Math.sqrt(step / measured.size());
    }

    private void fix(int parameter, double value) {
        start[parameter] = value;
        isFree[parameter] = false;
    }

    /** The free parameters: logarithms of times, the square root of gamma's distance from one. */
    private double[] coordinates() {
        double[] free = new double[start.length];
        int count = 0;
        for (int i = 0; i < start.length; i++) {
            if (isFree[i]) {
                free[count++] = i == GAMMA ? Math.sqrt(start[i] - 1) : Math.log(start[i]);
            }
        }
        return Arrays.copyOf(free, count);
    }

    private double[] parameters(double[] free) {
        double[] values = start.clone();
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            if (isFree[i]) {
                double at = free[count++];
                values[i] = i == GAMMA
                        ? Math.min(ThroughputParameters.MOST_OVERLAP, 1 + at * at)
                        : Math.max(LEAST, Math.exp(Math.min(at, 10)));
            }
        }
        return values;
    }

    private double objective(double[] free) {
        double[] values = parameters(free);
        double overlap = values[GAMMA] - 1;
        double nodeGrowth = values[3] / values[2];
        double localGrowth = values[5] / values[4];
        return error(record(values), measured)
                + OVERLAP_PENALTY * overlap * overlap
                + GROWTH_PENALTY * (nodeGrowth * nodeGrowth + localGrowth * localGrowth);
    }

    private static ThroughputParameters record(double[] values) {
        return new ThroughputParameters(
                values[0], values[1], values[2], values[3], values[4], values[5], values[GAMMA]);
    }
}
