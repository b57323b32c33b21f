package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.trainyard.agents.learned.auction.ClusterFigures;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/**
 * An auction as tensors are made of it: the state of the cluster, and a row for every legal bid, its columns and then its kind, one-hot.
 */
final class AuctionSnapshot {
    /** The first of the columns that all bids have. */
    static final int FIRST_SHARED = BidColumn.FREE.index();
    /** How many columns all bids have. */
    static final int SHARED_COLUMNS = BidColumn.SHORTEST_TIME.index() + 1 - FIRST_SHARED;
    /** Numbers of a state. */
    static final int STATE = SHARED_COLUMNS + 2 * ClusterFigures.COUNT;
    /** Numbers of a bid. */
    static final int ROW = BidColumn.COUNT + BidKind.COUNT;

    /** The state after the end of an episode, in which nothing can be done. */
    static final AuctionSnapshot END = new AuctionSnapshot(new float[STATE], new float[0]);

    private final float[] state;
    private final float[] rows;

    /**
     * Keeps both arrays.
     *
     * @param state the columns that all bids have, then the figures of the cluster and how far they are from those of the reference plays
     * @param rows {@link #ROW} numbers a bid
     */
    AuctionSnapshot(float[] state, float[] rows) {
        this.state = state;
        this.rows = rows;
    }

    /**
     * Copies an auction.
     *
     * @param figures of the cluster, and then how far they are from those of the reference plays
     */
    static AuctionSnapshot of(Auction auction, int firstLegal, float[] figures) {
        float[] state = new float[STATE];
        System.arraycopy(auction.columns(), FIRST_SHARED, state, 0, SHARED_COLUMNS);
        System.arraycopy(figures, 0, state, SHARED_COLUMNS, figures.length);
        float[] rows = new float[(auction.size() - firstLegal) * ROW];
        for (int bid = firstLegal; bid < auction.size(); bid++) {
            int at = (bid - firstLegal) * ROW;
            System.arraycopy(auction.columns(), bid * BidColumn.COUNT, rows, at, BidColumn.COUNT);
            rows[at + BidColumn.COUNT + auction.kind(bid).index()] = 1;
        }
        return new AuctionSnapshot(state, rows);
    }

    float[] state() {
        return state;
    }

    float[] rows() {
        return rows;
    }

    int bids() {
        return rows.length / ROW;
    }

    /** The observation of an agent: the state, and what a reward now counts. */
    NDList observation(NDManager scope, double discount) {
        return new NDList(scope.create(state), scope.create((float) discount));
    }

    /** The legal bids. */
    ActionSpace actions(NDManager scope) {
        ActionSpace actions = new ActionSpace();
        if (bids() > 0) {
            NDArray all = scope.create(rows, new Shape(bids(), ROW));
            for (int bid = 0; bid < bids(); bid++) {
                actions.add(new NDList(all.get(bid)));
            }
        }
        return actions;
    }

    /** One of the bids. */
    NDList action(NDManager scope, int bid) {
        return new NDList(scope.create(Arrays.copyOfRange(rows, bid * ROW, (bid + 1) * ROW)));
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(bids());
        out.write(bytes(state));
        out.write(bytes(rows));
    }

    private static byte[] bytes(float[] numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * numbers.length);
        bytes.asFloatBuffer().put(numbers);
        return bytes.array();
    }

    static AuctionSnapshot read(DataInput in) throws IOException {
        float[] rows = new float[in.readInt() * ROW];
        float[] state = new float[STATE];
        fill(state, in);
        fill(rows, in);
        return new AuctionSnapshot(state, rows);
    }

    private static void fill(float[] numbers, DataInput in) throws IOException {
        byte[] bytes = new byte[Float.BYTES * numbers.length];
        in.readFully(bytes);
        ByteBuffer.wrap(bytes).asFloatBuffer().get(numbers);
    }
}
