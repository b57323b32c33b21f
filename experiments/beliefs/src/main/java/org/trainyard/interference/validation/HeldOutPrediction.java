package org.trainyard.interference.validation;

import org.trainyard.interference.data.Measurement;

/**
 * A model's prediction of a row that it was not trained on.
 *
 * @param fold number of the row's fold
 */
public record HeldOutPrediction(Measurement row, int fold, double ratio) {
    /** Predicted minus measured ratio. */
    public double error() {
        return ratio - row.ratio();
    }
}
