package org.trainyard.experiments.export;

import java.util.List;
import org.trainyard.gnn.onnx.TensorData;

/**
 * A decision of the policy in Java: the inputs that it saw, its scores, the legal choices and the choice that it made.
 */
final class RecordedDecision {
    private final List<TensorData> inputs;
    private final double[] scores;
    private final boolean[] legal;
    private final int best;

    RecordedDecision(List<TensorData> inputs, double[] scores, boolean[] legal, int best) {
        this.inputs = inputs;
        this.scores = scores;
        this.legal = legal;
        this.best = best;
    }

    /** The inputs of the exported graph. */
    List<TensorData> inputs() {
        return inputs;
    }

    /** Number of choices, legal or not. */
    int choices() {
        return scores.length;
    }

    /** The value of a choice, of the output that {@link ExportedBids#comparedOutput} names. */
    double score(int choice) {
        return scores[choice];
    }

    boolean isLegal(int choice) {
        return legal[choice];
    }

    int legalChoices() {
        int count = 0;
        for (boolean isLegal : legal) {
            count += isLegal ? 1 : 0;
        }
        return count;
    }

    /** The choice that Java made. */
    int best() {
        return best;
    }
}
