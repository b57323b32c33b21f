package org.trainyard.agents.learned.dqn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.loss.Loss;

/**
 * Half the square of an error up to one, growing in proportion to it from there on (P. Huber: Robust estimation of a location
 * parameter, 1964). DJL has none. Counts what it was asked for.
 */
final class HuberLoss extends Loss {
    private double sum;
    private int count;

    HuberLoss() {
        super("HuberLoss");
    }

    @Override
    public NDArray evaluate(NDList labels, NDList predictions) {
        NDArray error =
                labels.singletonOrThrow().sub(predictions.singletonOrThrow()).abs();
        // Tensors rather than numbers: the engine wraps a number in Java memory that the backward pass may find
        // collected.
        NDArray one = error.getManager().create(1f);
        NDArray half = error.getManager().create(0.5f);
        NDArray inside = error.minimum(one);
        NDArray loss = inside.mul(error.sub(inside.mul(half)));
        sum += loss.getFloat();
        count++;
        return loss;
    }

    /** Mean since {@link #clear}; NaN when it was not asked. */
    double mean() {
        return sum / count;
    }

    void clear() {
        sum = 0;
        count = 0;
    }
}
