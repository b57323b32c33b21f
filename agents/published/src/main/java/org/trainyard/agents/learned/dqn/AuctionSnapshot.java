package org.trainyard.agents.learned.dqn;

import ai.djl.modality.rl.ActionSpace;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.trainyard.agents.learned.ppo.ClusterFigures;
import org.trainyard.env.gym.auction.Auction;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/**
 * An auction as tensors are made of it.
 *
 * @param state the columns that all bids have, then the figures of the cluster and how far they are from those of the
 *     reference plays
 * @param rows of every legal bid its columns and then its kind, one-hot: {@link #ROW} numbers
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared by value.
record AuctionSnapshot(float[] state, float[] rows) {
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
        for (int at = 0; at < rows.length; at += ROW) {
            actions.add(new NDList(scope.create(Arrays.copyOfRange(rows, at, at + ROW))));
        }
        return actions;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(bids());
        for (float[] numbers : new float[][] {state, rows}) {
            for (float number : numbers) {
                out.writeFloat(number);
            }
        }
    }

    static AuctionSnapshot read(DataInput in) throws IOException {
        AuctionSnapshot empty = new AuctionSnapshot(new float[STATE], new float[in.readInt() * ROW]);
        for (float[] numbers : new float[][] {empty.state, empty.rows}) {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = in.readFloat();
            }
        }
        return empty;
    }
}
