package org.trainyard.agents.learned.bids;

import java.io.DataInput;
import java.io.IOException;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/**
 * Where the weights of a {@link BidNetwork} lie in its array, kind by kind: bias, linear weights by column; hidden
 * biases; hidden weights by column and unit; output weights by unit. Further inputs follow the columns.
 *
 * @param hidden hidden units
 * @param inputs further inputs of a bid
 */
public record BidLayout(int hidden, int inputs) {
    private static final int COLUMNS = BidColumn.COUNT;

    /** Columns and further inputs of a bid. */
    public int width() {
        return COLUMNS + inputs;
    }

    /** Weights of a kind. */
    public int kindSize() {
        return 1 + width() + hidden + width() * hidden + hidden;
    }

    /** Weights of all kinds. */
    public int size() {
        return BidKind.COUNT * kindSize();
    }

    public int biasAt(int kind) {
        return kind * kindSize();
    }

    public int linearAt(int kind) {
        return biasAt(kind) + 1;
    }

    public int hiddenBiasAt(int kind) {
        return linearAt(kind) + width();
    }

    public int hiddenAt(int kind) {
        return hiddenBiasAt(kind) + hidden;
    }

    public int outAt(int kind) {
        return hiddenAt(kind) + width() * hidden;
    }

    /**
     * Reads the weights of a network with the same hidden units and further inputs.
     *
     * @param columns its columns, the first of those here; the weights of the others become 0
     */
    float[] read(DataInput in, int columns) throws IOException {
        int expected = BidKind.COUNT * (kindSize() - (COLUMNS - columns) * (1 + hidden));
        int count = in.readInt();
        if (count != expected) {
            throw new InputException("a file of %d weights of bids: expected %d".formatted(count, expected));
        }
        float[] weights = new float[size()];
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            fill(in, weights, biasAt(kind), 1 + columns);
            fill(in, weights, linearAt(kind) + COLUMNS, inputs);
            fill(in, weights, hiddenBiasAt(kind), hidden + columns * hidden);
            fill(in, weights, hiddenAt(kind) + COLUMNS * hidden, inputs * hidden + hidden);
        }
        return weights;
    }

    private static void fill(DataInput in, float[] weights, int from, int count) throws IOException {
        for (int w = from; w < from + count; w++) {
            weights[w] = in.readFloat();
        }
    }
}
