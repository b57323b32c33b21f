package org.trainyard.gnn.cluster;

import java.util.Arrays;

/** {@link LevelMessages} over plain arrays. */
final class ArrayMessages {
    private static final float EPSILON = 1e-5f;

    private final int hidden;
    private final ArrayLinear message;
    private final ArrayLinear self;
    private final ArrayLinear neighbours;
    private final float[] scale;
    private final float[] shift;

    /** Reads the weights at a place of all weights; {@link #size} says where they end. */
    ArrayMessages(float[] weights, int at, int hidden) {
        this.hidden = hidden;
        int square = hidden * hidden;
        message = new ArrayLinear(weights, at, hidden, hidden, false);
        self = new ArrayLinear(weights, at + square, hidden, hidden, false);
        neighbours = new ArrayLinear(weights, at + 2 * square, hidden, hidden, false);
        scale = Arrays.copyOfRange(weights, at + 3 * square, at + 3 * square + hidden);
        shift = Arrays.copyOfRange(weights, at + 3 * square + hidden, at + size(hidden));
    }

    static int size(int hidden) {
        return 3 * hidden * hidden + 2 * hidden;
    }

    /** Writes the message of a sender. */
    void sent(float[] states, int sender, float[] messages, int to) {
        message.applyRelu(states, sender, messages, to);
    }

    /** Writes a sender's term of messages that have other terms, too. */
    void term(float[] states, int sender, float[] terms, int to) {
        message.apply(states, sender, terms, to);
    }

    /** Writes the term of a mean of messages. */
    void heard(float[] means, int from, float[] terms, int to) {
        neighbours.apply(means, from, terms, to);
    }

    /** Writes the term of a hearer's own state. */
    void own(float[] states, int hearer, float[] terms, int to) {
        self.apply(states, hearer, terms, to);
    }

    /** Replaces a hearer's state by its new one, from the two terms. */
    void update(float[] states, int hearer, float[] own, int ownAt, float[] heard, int heardAt) {
        float sum = 0;
        for (int j = 0; j < hidden; j++) {
            float x = states[hearer + j] + Math.max(0, own[ownAt + j] + heard[heardAt + j]);
            states[hearer + j] = x;
            sum += x;
        }
        float mean = sum / hidden;
        float squares = 0;
        for (int j = 0; j < hidden; j++) {
            float x = states[hearer + j] - mean;
            squares += x * x;
        }
        float factor = (float) (1 / Math.sqrt(squares / hidden + EPSILON));
        for (int j = 0; j < hidden; j++) {
            states[hearer + j] = (states[hearer + j] - mean) * factor * scale[j] + shift[j];
        }
    }
}
