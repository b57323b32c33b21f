package org.trainyard.agents.learned.ppo;

import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** The auctions of an update with their advantages, in an order that can be shuffled. */
final class Auctions {
    private final List<EpisodeRecord> records;
    /** By episode, those of its auctions. */
    private final IntFunction<float[]> advantages;
    /** The episode in the upper, the auction in the lower half. */
    private final long[] order;

    /**
     * All auctions of some episodes, in the order in which they were.
     *
     * @param advantages by episode, those of its auctions
     */
    Auctions(List<EpisodeRecord> records, IntFunction<float[]> advantages) {
        this.records = records;
        this.advantages = advantages;
        order = new long[records.stream().mapToInt(record -> record.auctions).sum()];
        int next = 0;
        for (int episode = 0; episode < records.size(); episode++) {
            for (int auction = 0; auction < records.get(episode).auctions; auction++) {
                order[next++] = ((long) episode << 32) | auction;
            }
        }
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

    float advantage(int i) {
        return advantages.apply(episode(i))[auction(i)];
    }
}
