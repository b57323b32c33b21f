package org.trainyard.agents.learned.adversary;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** A player's distribution over its choices in each state: a softmax of learned logits. */
sealed interface ChoiceModel extends AutoCloseable permits LogitTable, LogitNetwork {
    /** The logits of all choices, a row for each state. */
    double[][] logits(List<PlayerState> states);

    /** The probabilities of all choices, a row for each state. */
    default double[][] probabilities(List<PlayerState> states) {
        double[][] rows = logits(states);
        for (double[] row : rows) {
            softmax(row);
        }
        return rows;
    }

    /** Replaces logits by probabilities. */
    static void softmax(double[] row) {
        double most = Double.NEGATIVE_INFINITY;
        for (double logit : row) {
            most = Math.max(most, logit);
        }
        double sum = 0;
        for (int i = 0; i < row.length; i++) {
            row[i] = Math.exp(row[i] - most);
            sum += row[i];
        }
        for (int i = 0; i < row.length; i++) {
            row[i] /= sum;
        }
    }

    /**
     * Moves the logits one step up.
     *
     * @param slopes derivatives of the objective by the logits, a row for each state
     * @param update for messages, from 1
     */
    void ascend(List<PlayerState> states, double[][] slopes, double rate, int update);

    /** Writes everything that the next step depends on. */
    void write(DataOutput out) throws IOException;

    /** @param source the file, for messages */
    void read(DataInput in, String source) throws IOException;

    @Override
    default void close() {}
}
