package org.trainyard.agents.learned.auction;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/**
 * Scores bids: for every kind of bid a linear function of its columns plus a hidden layer of rectified units. Plain arrays, no tensors: an
 * auction has few bids, and most columns are 0.
 *
 * <p>Weights lie in one array, kind by kind: bias, linear weights by column; hidden biases; hidden weights by column and unit; output weights
 * by unit. O(columns that are not 0 x hidden) per bid.
 */
public final class BidNetwork {
    private static final int COLUMNS = BidColumn.COUNT;

    private final int hidden;
    private final int kindSize;
    private final float[] weights;

    /** A network whose weights are all 0: every bid has the score 0. */
    public BidNetwork(int hidden) {
        this.hidden = hidden;
        kindSize = 1 + COLUMNS + hidden + COLUMNS * hidden + hidden;
        weights = new float[BidKind.COUNT * kindSize];
    }

    /** Draws hidden weights at random and leaves the output weights at 0, so that scores stay what they are while gradients can flow. */
    void initialiseHidden(RandomGenerator random) {
        double spread = Math.sqrt(2.0 / 12);
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            int from = hiddenAt(kind);
            for (int i = 0; i < COLUMNS * hidden; i++) {
                weights[from + i] = (float) (spread * random.nextGaussian());
            }
            int out = outAt(kind);
            for (int i = 0; i < hidden; i++) {
                weights[out + i] = (float) (0.1 * random.nextGaussian());
            }
        }
    }

    /** Sets the output weights of the hidden units to 0, so that scores are linear at first. */
    void silence() {
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            Arrays.fill(weights, outAt(kind), outAt(kind) + hidden, 0);
        }
    }

    private int linearAt(int kind) {
        return kind * kindSize + 1;
    }

    private int hiddenBiasAt(int kind) {
        return linearAt(kind) + COLUMNS;
    }

    private int hiddenAt(int kind) {
        return hiddenBiasAt(kind) + hidden;
    }

    private int outAt(int kind) {
        return hiddenAt(kind) + COLUMNS * hidden;
    }

    /** Sets the bias of a kind. */
    void bias(BidKind kind, double value) {
        weights[kind.index() * kindSize] = (float) value;
    }

    /** Sets a linear weight. */
    void linear(BidKind kind, BidColumn column, double value) {
        weights[linearAt(kind.index()) + column.index()] = (float) value;
    }

    public int hidden() {
        return hidden;
    }

    /** All weights; a change of the array changes the network. */
    public float[] weights() {
        return weights;
    }

    /**
     * The scores of all bids of an auction.
     *
     * @throws InputException when a score is not finite
     */
    public void score(Auction auction, float[] scores, float[] scratch) {
        for (int bid = 0; bid < auction.size(); bid++) {
            scores[bid] = score(auction.kind(bid).index(), auction.columns(), bid * COLUMNS, scratch);
            if (!Float.isFinite(scores[bid])) {
                throw new InputException(
                        "the policy's scores are not finite: its weights are too large to compute with; a lower learner.learning_rate may help");
            }
        }
    }

    /**
     * The score of one bid.
     *
     * @param scratch at least {@link #hidden} floats; holds the hidden units afterwards
     */
    float score(int kind, float[] columns, int at, float[] scratch) {
        float sum = weights[kind * kindSize];
        int linear = linearAt(kind);
        int from = hiddenAt(kind);
        System.arraycopy(weights, hiddenBiasAt(kind), scratch, 0, hidden);
        for (int c = 0; c < COLUMNS; c++) {
            float x = columns[at + c];
            if (x != 0) {
                sum += x * weights[linear + c];
                int row = from + c * hidden;
                for (int j = 0; j < hidden; j++) {
                    scratch[j] += x * weights[row + j];
                }
            }
        }
        int out = outAt(kind);
        for (int j = 0; j < hidden; j++) {
            if (scratch[j] > 0) {
                sum += scratch[j] * weights[out + j];
            }
        }
        return sum;
    }

    /**
     * Adds to {@code gradient} the derivatives of {@code slope} times the score of a bid; {@code scratch} has its hidden units, as {@link #score}
     * left them, and is overwritten.
     */
    void backward(int kind, float[] columns, int at, float slope, float[] scratch, float[] gradient) {
        int out = outAt(kind);
        int biases = hiddenBiasAt(kind);
        for (int j = 0; j < hidden; j++) {
            boolean isOn = scratch[j] > 0;
            gradient[out + j] += isOn ? slope * scratch[j] : 0;
            scratch[j] = isOn ? slope * weights[out + j] : 0;
            gradient[biases + j] += scratch[j];
        }
        gradient[kind * kindSize] += slope;
        int linear = linearAt(kind);
        int from = hiddenAt(kind);
        for (int c = 0; c < COLUMNS; c++) {
            float x = columns[at + c];
            if (x != 0) {
                gradient[linear + c] += slope * x;
                int row = from + c * hidden;
                for (int j = 0; j < hidden; j++) {
                    gradient[row + j] += x * scratch[j];
                }
            }
        }
    }

    /** A copy with weights of its own. */
    public BidNetwork copy() {
        BidNetwork copy = new BidNetwork(hidden);
        System.arraycopy(weights, 0, copy.weights, 0, weights.length);
        return copy;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(weights.length);
        for (float weight : weights) {
            out.writeFloat(weight);
        }
    }

    /** Reads the weights of a network of the same size. */
    void read(DataInput in) throws IOException {
        int size = in.readInt();
        if (size != weights.length) {
            throw new InputException("a file of %d weights of bids: expected %d".formatted(size, weights.length));
        }
        for (int w = 0; w < size; w++) {
            weights[w] = in.readFloat();
        }
    }
}
