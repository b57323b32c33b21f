package org.trainyard.agents.learned.dqn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.loss.Loss;

/**
 * The Huber loss with threshold one: half the square of a small error, linear in a large one (P. Huber: Robust
 * estimation of a location parameter, 1964). DJL has none. The sum over all elements; keeps the mean per element.
 */
final class HuberLoss extends Loss {
    private double sum;
    private long count;

    HuberLoss() {
        super("HuberLoss");
    }

    @Override
    public NDArray evaluate(NDList labels, NDList predictions) {
        NDArray error =
                labels.singletonOrThrow().sub(predictions.singletonOrThrow()).abs();
        // Tensors rather than numbers: DJL wraps a number in a Java buffer that may be collected before the backward
        // pass.
        NDArray one = error.getManager().create(1f);
        NDArray half = error.getManager().create(0.5f);
        NDArray inside = error.minimum(one);
        NDArray loss = inside.mul(error.sub(inside.mul(half))).sum();
        sum += loss.getFloat();
        count += error.size();
        return loss;
    }

    /** Mean since {@link #clear}; NaN when there was none. */
    double mean() {
        return sum / count;
    }

    void clear() {
        sum = 0;
        count = 0;
    }
}
