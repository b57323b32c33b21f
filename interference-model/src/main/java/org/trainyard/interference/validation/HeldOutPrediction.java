package org.trainyard.interference.validation;

import org.trainyard.interference.data.Measurement;

/**
 * What a model said of a row it was not trained on.
 *
 * @param fold which fold the row was in
 * @param ratio the ratio it said
 */
public record HeldOutPrediction(Measurement row, int fold, double ratio) {
    /** How far it is above the measured ratio. */
    public double error() {
        return ratio - row.ratio();
    }
}
