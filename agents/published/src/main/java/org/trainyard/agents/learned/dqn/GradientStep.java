package org.trainyard.agents.learned.dqn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.gnn.Parameters;

/**
 * An optimiser step on the gradients that the parameters hold, clipped by their global norm.
 *
 * @param fixed the names of parameters that are not changed
 * @param scale factor on the gradients before they are clipped
 * @param maxNorm greatest global norm
 */
public record GradientStep(Parameters parameters, Predicate<String> fixed, double scale, double maxNorm) {
    /** Makes one step; returns the global norm before clipping. */
    public double make(SavedAdam adam, double learningRate, FiniteCheck check) {
        try (NDManager scope = parameters.newScope()) {
            Map<String, NDArray> gradients = new HashMap<>();
            NDList squares = new NDList();
            for (String name : parameters.names()) {
                NDArray gradient = parameters.get(name).getGradient();
                gradient.attach(scope);
                gradients.put(name, gradient);
                if (fixed.test(name)) {
                    gradient.subi(gradient);
                }
                squares.add(gradient.square().sum());
            }
            double norm = scale * Math.sqrt(sum(NDArrays.stack(squares).toFloatArray(), check));
            double factor = norm > maxNorm ? scale * maxNorm / norm : scale;
            for (NDArray gradient : gradients.values()) {
                if (factor != 1) {
                    gradient.muli(factor);
                }
            }
            adam.step(gradients, learningRate);
            return norm;
        }
    }

    private double sum(float[] squares, FiniteCheck check) {
        List<String> names = parameters.names();
        double sum = 0;
        for (int i = 0; i < squares.length; i++) {
            sum += check.gradient(names.get(i), squares[i]);
        }
        return sum;
    }
}
