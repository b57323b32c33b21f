package org.trainyard.agents.learned.ppo;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.stream.Stream;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.agents.learned.bids.BidRows;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/**
 * Some auctions of an update as tensors. All legal bids stand in one list, kind by kind; an auction is a row of places
 * in that list, filled up with a place behind its end.
 */
final class Minibatch {
    private static final int COLUMNS = BidColumn.COUNT;

    private final BidNetwork network;
    private final TensorBuffer[] columns =
            Stream.generate(TensorBuffer::new).limit(BidKind.COUNT).toArray(TensorBuffer[]::new);
    /** The columns of one bid. */
    private final float[] dense = new float[COLUMNS];

    private final int[] count = new int[BidKind.COUNT];
    private final int[] first = new int[BidKind.COUNT];
    private int size;
    private int bids;
    private int widest;
    /** By auction: places of its bids, its winner, the log-probability of that when it was drawn, and the advantage. */
    private long[] places = {};

    private long[] chosen = {};
    private float[] drawn = {};
    private float[] advantages = {};

    Minibatch(BidNetwork network) {
        this.network = network;
    }

    /** Holds the auctions from a number to another. O(bids x columns). */
    void fill(Auctions auctions, int from, int to) {
        size = to - from;
        count(auctions, from, to);
        places = new long[size * widest];
        chosen = new long[size];
        drawn = new float[size];
        advantages = new float[size];
        Arrays.fill(places, bids);
        int[] next = first.clone();
        for (int i = 0; i < size; i++) {
            EpisodeRecord record = auctions.record(from + i);
            int auction = auctions.auction(from + i);
            int legal = record.firstBid[auction] + record.firstLegal[auction];
            int end = record.firstBid[auction] + record.bids[auction];
            for (int bid = legal; bid < end; bid++) {
                int kind = record.kinds[bid];
                put(record.rows, bid, columns[kind], (next[kind] - first[kind]) * COLUMNS);
                places[i * widest + bid - legal] = next[kind]++;
            }
            int winner = record.chosen[auction] - record.firstLegal[auction];
            chosen[i] = winner;
            drawn[i] = record.logProbability[auction];
            advantages[i] = auctions.advantage(from + i);
        }
    }

    private void put(BidRows rows, int row, TensorBuffer into, int at) {
        Arrays.fill(dense, 0);
        for (int i = rows.first(row); i < rows.end(row); i++) {
            int column = rows.columns()[i];
            if (network.reads(column)) {
                dense[column] = rows.values()[i];
            }
        }
        into.put(at, dense, 0, COLUMNS);
    }

    private void count(Auctions auctions, int from, int to) {
        Arrays.fill(count, 0);
        widest = 1;
        for (int i = from; i < to; i++) {
            EpisodeRecord record = auctions.record(i);
            int auction = auctions.auction(i);
            int legal = record.bids[auction] - record.firstLegal[auction];
            widest = Math.max(widest, legal);
            int at = record.firstBid[auction] + record.firstLegal[auction];
            for (int bid = at; bid < at + legal; bid++) {
                count[record.kinds[bid]]++;
            }
        }
        bids = 0;
        for (int kind = 0; kind < count.length; kind++) {
            first[kind] = bids;
            bids += count[kind];
            columns[kind].begin(count[kind] * COLUMNS);
        }
    }

    /** Auctions. */
    int size() {
        return size;
    }

    /** Bids of all auctions. */
    int bids() {
        return bids;
    }

    /** Bids of a kind. */
    int count(int kind) {
        return count[kind];
    }

    /** Where the bids of a kind begin in the list of all. */
    int first(int kind) {
        return first[kind];
    }

    /** The place in the list of all bids of the n-th legal bid of an auction. */
    int place(int auction, int n) {
        return (int) places[auction * widest + n];
    }

    /** The columns of the bids of a kind, {@code [bids of the kind, columns]}. */
    NDArray columns(int kind, NDManager scope) {
        return columns[kind].tensor(new Shape(count[kind], COLUMNS), scope);
    }

    /** Values by bid as values by auction and bid of it, {@code [auctions, bids of the widest]}. */
    NDArray byAuction(NDArray ofBids, float ofNone, NDManager scope) {
        NDArray padded = ofBids.concat(scope.full(new Shape(1), ofNone), 0);
        return padded.gather(scope.create(places, new Shape((long) size * widest)), 0)
                .reshape(size, widest);
    }

    /** The winners, {@code [auctions, 1]}. */
    NDArray chosen(NDManager scope) {
        return scope.create(chosen, new Shape(size, 1));
    }

    /** By auction, the log-probability of the winner when it was drawn. */
    NDArray drawn(NDManager scope) {
        return scope.create(drawn, new Shape(size));
    }

    NDArray advantages(NDManager scope) {
        return scope.create(advantages, new Shape(size));
    }
}
