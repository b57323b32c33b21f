package org.trainyard.agents.learned.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.gnn.Parameters;

/**
 * Stops an update in which a number is not finite, before its weights are saved.
 *
 * @param update counted from 1
 */
public record FiniteCheck(int update) {
    /** A part of the loss or an input of it. */
    public double loss(String what, double value) {
        return finite("the " + what, value);
    }

    /** The squared norm of a parameter's gradient. */
    public double gradient(String parameter, double squares) {
        return finite("the gradient of " + parameter + ", squared,", squares);
    }

    /** The weights at the end of the update. */
    public void weights(Parameters parameters) {
        List<String> names = parameters.names();
        try (NDManager scope = parameters.newScope()) {
            NDList sums = new NDList();
            for (NDArray parameter : parameters.all()) {
                NDArray size = parameter.abs();
                size.attach(scope);
                sums.add(size.sum());
            }
            float[] found = NDArrays.stack(sums).toFloatArray();
            for (int i = 0; i < found.length; i++) {
                finite("the sum of the weights of " + names.get(i), found[i]);
            }
        }
    }

    /** Weights outside tensors. */
    public void weights(String what, float[] weights) {
        for (float weight : weights) {
            finite("a weight of " + what, weight);
        }
    }

    private double finite(String what, double value) {
        if (!Double.isFinite(value)) {
            throw new InputException(
                    "update %d: %s is %s: expected a finite number; the last checkpoint is unchanged, a lower learner.learning_rate or a smaller reward may help"
                            .formatted(update, what, value));
        }
        return value;
    }
}
