package org.trainyard.agents.learned.bids;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/**
 * Scores bids: for every kind of bid a linear function of its columns plus a hidden layer of rectified units. Plain
 * arrays, no tensors: an auction has few bids, and most columns are 0. Further inputs of a bid, such as embeddings of
 * its servers, follow its columns.
 *
 * <p>Weights lie in one array, see {@link BidLayout}. O(columns that are not 0 x hidden) per bid.
 */
public final class BidNetwork {
    private static final int COLUMNS = BidColumn.COUNT;

    private final int hidden;
    /** Further inputs of a bid. */
    private final int inputs;

    private final BidLayout layout;
    private final float[] weights;
    /** By column, whether it is not read. */
    private final boolean[] ignored = new boolean[COLUMNS];

    /** A network whose weights are all 0: every bid has the score 0. */
    public BidNetwork(int hidden) {
        this(hidden, 0);
    }

    /** A network for bids with a number of further inputs, whose weights are all 0: every bid has the score 0. */
    public BidNetwork(int hidden, int inputs) {
        this.hidden = hidden;
        this.inputs = inputs;
        layout = new BidLayout(hidden, inputs);
        weights = new float[layout.size()];
    }

    /** Where the weights lie. */
    public BidLayout layout() {
        return layout;
    }

    /**
     * The network with further inputs, whose linear weights are 0.
     *
     * @param spread standard deviation of the further inputs' hidden weights
     */
    public BidNetwork widened(int furtherInputs, double spread, RandomGenerator random) {
        BidNetwork wide = new BidNetwork(hidden, inputs + furtherInputs);
        System.arraycopy(ignored, 0, wide.ignored, 0, COLUMNS);
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            System.arraycopy(weights, layout.biasAt(kind), wide.weights, wide.layout.biasAt(kind), 1 + layout.width());
            System.arraycopy(
                    weights,
                    layout.hiddenBiasAt(kind),
                    wide.weights,
                    wide.layout.hiddenBiasAt(kind),
                    hidden + layout.width() * hidden);
            System.arraycopy(weights, layout.outAt(kind), wide.weights, wide.layout.outAt(kind), hidden);
            int from = wide.layout.hiddenAt(kind) + layout.width() * hidden;
            for (int i = 0; i < furtherInputs * hidden; i++) {
                wide.weights[from + i] = (float) (spread * random.nextGaussian());
            }
        }
        return wide;
    }

    /** Ignores these columns: their weights become 0 and stay so in this network and its copies. */
    public void ignore(Set<BidColumn> columns) {
        for (BidColumn column : columns) {
            ignored[column.index()] = true;
            for (int kind = 0; kind < BidKind.COUNT; kind++) {
                weights[layout.linearAt(kind) + column.index()] = 0;
                int row = layout.hiddenAt(kind) + column.index() * hidden;
                Arrays.fill(weights, row, row + hidden, 0);
            }
        }
    }

    /** Whether a column is not ignored. */
    public boolean reads(int column) {
        return !ignored[column];
    }

    /** Multiplies the scores of all bids by a factor. */
    public void scaleScores(double factor) {
        float by = (float) factor;
        for (int kind = 0; kind < BidKind.COUNT; kind++) {
            // The bias lies before the linear weights.
            scale(layout.biasAt(kind), 1 + layout.width(), by);
            scale(layout.outAt(kind), hidden, by);
        }
    }

    private void scale(int from, int count, float by) {
        for (int i = from; i < from + count; i++) {
            weights[i] *= by;
        }
    }

    /** Sets the bias of a kind. */
    void bias(BidKind kind, double value) {
        weights[layout.biasAt(kind.index())] = (float) value;
    }

    /** Sets a linear weight. */
    void linear(BidKind kind, BidColumn column, double value) {
        weights[layout.linearAt(kind.index()) + column.index()] = (float) value;
    }

    public int hidden() {
        return hidden;
    }

    public int inputs() {
        return inputs;
    }

    /** All weights; a change of the array changes the network. */
    public float[] weights() {
        return weights;
    }

    /**
     * The scores of all bids of an auction.
     *
     * @param rows overwritten by the bids' rows
     * @param further the further inputs of all bids
     * @throws InputException when a score is not finite
     */
    public void score(Auction auction, BidRows rows, float[] further, float[] scores, float[] scratch) {
        rows.clear();
        for (int bid = 0; bid < auction.size(); bid++) {
            rows.add(auction.columns(), bid * COLUMNS);
            scores[bid] = score(auction.kind(bid).index(), rows, bid, further, bid * inputs, scratch, 0);
            if (!Float.isFinite(scores[bid])) {
                throw new InputException(
                        "the policy's scores are not finite: its weights are too large to compute with; a lower learner.learning_rate may help");
            }
        }
    }

    /**
     * The score of one bid.
     *
     * @param further its further inputs, from {@code furtherAt} on
     * @param units takes its {@link #hidden} units, from {@code unitsAt} on
     */
    public float score(int kind, BidRows rows, int row, float[] further, int furtherAt, float[] units, int unitsAt) {
        float sum = weights[layout.biasAt(kind)];
        int linear = layout.linearAt(kind);
        System.arraycopy(weights, layout.hiddenBiasAt(kind), units, unitsAt, hidden);
        for (int i = rows.first(row); i < rows.end(row); i++) {
            sum += rows.values()[i] * weights[linear + rows.columns()[i]];
        }
        UnitBlocks.addRow(rows, row, weights, layout.hiddenAt(kind), hidden, units, unitsAt);
        if (inputs > 0) {
            sum += addFurther(kind, further, furtherAt, units, unitsAt);
        }
        int out = layout.outAt(kind);
        for (int j = 0; j < hidden; j++) {
            float unit = units[unitsAt + j];
            if (unit > 0) {
                sum += unit * weights[out + j];
            }
        }
        return sum;
    }

    /** Adds the further inputs' terms to the hidden units, four inputs at a time; returns their linear term. */
    private float addFurther(int kind, float[] further, int furtherAt, float[] units, int unitsAt) {
        float[] w = weights;
        int linear = layout.linearAt(kind) + COLUMNS;
        int row = layout.hiddenAt(kind) + COLUMNS * hidden;
        float sum = 0;
        int i = 0;
        for (; i + 3 < inputs; i += 4) {
            float x0 = further[furtherAt + i];
            float x1 = further[furtherAt + i + 1];
            float x2 = further[furtherAt + i + 2];
            float x3 = further[furtherAt + i + 3];
            sum += x0 * w[linear + i] + x1 * w[linear + i + 1] + x2 * w[linear + i + 2] + x3 * w[linear + i + 3];
            int r1 = row + hidden;
            int r2 = r1 + hidden;
            int r3 = r2 + hidden;
            for (int j = 0; j < hidden; j++) {
                units[unitsAt + j] += x0 * w[row + j] + x1 * w[r1 + j] + x2 * w[r2 + j] + x3 * w[r3 + j];
            }
            row = r3 + hidden;
        }
        for (; i < inputs; i++) {
            float x = further[furtherAt + i];
            sum += x * w[linear + i];
            for (int j = 0; j < hidden; j++) {
                units[unitsAt + j] += x * w[row + j];
            }
            row += hidden;
        }
        return sum;
    }

    /** A copy with weights of its own. */
    public BidNetwork copy() {
        BidNetwork copy = new BidNetwork(hidden, inputs);
        System.arraycopy(ignored, 0, copy.ignored, 0, COLUMNS);
        System.arraycopy(weights, 0, copy.weights, 0, weights.length);
        return copy;
    }

    /** Writes the number of weights and the weights. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(weights.length);
        for (float weight : weights) {
            out.writeFloat(weight);
        }
    }

    /** Reads the weights of a network of the same size. */
    public void read(DataInput in) throws IOException {
        read(in, COLUMNS);
    }

    /** Reads the weights of a network of which the columns are the first of those here; see {@link BidLayout#read}. */
    public void read(DataInput in, int columns) throws IOException {
        System.arraycopy(layout.read(in, columns), 0, weights, 0, weights.length);
    }
}
