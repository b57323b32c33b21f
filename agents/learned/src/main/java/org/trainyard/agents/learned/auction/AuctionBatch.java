package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.BidKind;

/** The auctions of an update with their advantages, in an order that can be shuffled. */
final class AuctionBatch {
    private final List<EpisodeRecord> records;
    /** By episode, those of its auctions. */
    private final IntFunction<float[]> advantages;
    /** The episode in the upper, the auction in the lower half. */
    private final long[] order;

    private final DistinctRows rows;

    /**
     * All auctions of some episodes, in the order in which they were.
     *
     * @param advantages by episode, those of its auctions
     */
    AuctionBatch(List<EpisodeRecord> records, IntFunction<float[]> advantages) {
        this.records = records;
        this.advantages = advantages;
        order = new long[records.stream().mapToInt(record -> record.auctions).sum()];
        rows = new DistinctRows(records);
        int next = 0;
        for (int episode = 0; episode < records.size(); episode++) {
            for (int auction = 0; auction < records.get(episode).auctions; auction++) {
                order[next++] = ((long) episode << 32) | auction;
            }
        }
    }

    /** By kind, the columns that a bid has and a network reads, rising. */
    int[][] columns(BidNetwork network) {
        boolean[][] has = new boolean[BidKind.COUNT][BidColumn.COUNT];
        for (EpisodeRecord record : records) {
            for (int row = 0; row < record.totalBids; row++) {
                record.rows.mark(row, has[record.kinds[row]]);
            }
        }
        return Arrays.stream(has)
                .map(ofKind -> IntStream.range(0, BidColumn.COUNT)
                        .filter(column -> ofKind[column] && network.reads(column))
                        .toArray())
                .toArray(int[][]::new);
    }

    int size() {
        return order.length;
    }

    void shuffle(RandomGenerator random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            long swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
    }

    private int episode(int i) {
        return (int) (order[i] >>> 32);
    }

    /** The record with the i-th auction. */
    EpisodeRecord record(int i) {
        return records.get(episode(i));
    }

    /** The number of the i-th auction in its record. */
    int auction(int i) {
        return (int) order[i];
    }

    /** The rows of nodes of all episodes. */
    DistinctRows rows() {
        return rows;
    }

    /** By row of the record with the i-th auction, its number among all. */
    int[] rowNumbers(int i) {
        return rows.numbers(episode(i));
    }

    float advantage(int i) {
        return advantages.apply(episode(i))[auction(i)];
    }
}
