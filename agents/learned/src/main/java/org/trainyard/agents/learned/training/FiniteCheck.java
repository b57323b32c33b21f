package org.trainyard.agents.learned.training;

import org.trainyard.env.InputException;

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
