package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.bids.BidBlock;
import org.trainyard.agents.learned.bids.BidDistribution;
import org.trainyard.agents.learned.bids.BidNetwork;
import org.trainyard.env.gym.auction.BidKind;

/**
 * The gradient of the clipped surrogate objective with an entropy bonus (J. Schulman et al.: Proximal policy
 * optimization algorithms, 2017) over some auctions. The derivatives by the scores are written out, and
 * {@link BidBlock#backward} takes them to the weights.
 */
final class BidGradient {
    /** Auctions are computed together until they have so many bids. */
    private static final int BLOCK_BIDS = 1024;

    private final double clip;
    private final double bonus;
    /** By bid of an auction, the slope of the objective by its score. */
    private float[] slopes = new float[64];

    /** By kind of bid, those of some auctions; by such bid, in the order of auctions, its number there. */
    private final BidBlock[] blocks = new BidBlock[BidKind.COUNT];

    private int[] numbers = new int[2 * BLOCK_BIDS];
    private final BidDistribution distribution = new BidDistribution();
    private final Sums sums = new Sums();

    /** Metrics of some auctions, summed. */
    static final class Sums {
        double surrogate;
        double kl;
        double entropy;
        double clipped;

        void add(Sums other) {
            surrogate += other.surrogate;
            kl += other.kl;
            entropy += other.entropy;
            clipped += other.clipped;
        }

        void clear() {
            surrogate = 0;
            kl = 0;
            entropy = 0;
            clipped = 0;
        }
    }

    /**
     * Of a network whose weights may change between two auctions.
     *
     * @param clip range epsilon of the probability ratio
     * @param bonus coefficient of the entropy
     */
    BidGradient(BidNetwork network, double clip, double bonus) {
        this.clip = clip;
        this.bonus = bonus;
        Arrays.setAll(blocks, kind -> new BidBlock(network, kind));
    }

    /** Begins with auctions whose bids of each kind have no other columns than these, which rise. */
    void begin(int[][] columns) {
        for (int kind = 0; kind < blocks.length; kind++) {
            blocks[kind].begin(columns[kind]);
        }
    }

    void clear() {
        for (BidBlock block : blocks) {
            block.clearGradient();
        }
        sums.clear();
    }

    /**
     * Adds some auctions, the bids of many at once.
     *
     * @param pooled the further inputs of bids, which takes the slopes by them; null where they have none
     */
    void addAll(AuctionBatch batch, int from, int to, @Nullable PooledBids pooled) {
        int first = from;
        while (first < to) {
            int end = first;
            int bids = 0;
            for (BidBlock block : blocks) {
                block.clear();
            }
            if (pooled != null) {
                pooled.clear();
            }
            while (end < to && bids < BLOCK_BIDS) {
                bids = addBids(batch.record(end), batch.auction(end), end - from, bids, pooled);
                end++;
            }
            if (pooled != null) {
                pooled.pool(blocks);
            }
            for (BidBlock block : blocks) {
                block.score();
            }
            bids = 0;
            for (int i = first; i < end; i++) {
                bids = weigh(batch.record(i), batch.auction(i), batch.advantage(i), bids);
            }
            for (BidBlock block : blocks) {
                block.backward();
            }
            if (pooled != null) {
                pooled.scatter(blocks);
            }
            first = end;
        }
    }

    /** Adds the legal bids of an auction to the blocks; returns the number of bids there. */
    private int addBids(EpisodeRecord record, int auction, int centre, int before, @Nullable PooledBids pooled) {
        int first = record.firstBid[auction];
        int bids = before;
        if (numbers.length < before + record.bids[auction]) {
            numbers = Arrays.copyOf(numbers, 2 * (before + record.bids[auction]));
        }
        for (int row = first + record.firstLegal[auction]; row < first + record.bids[auction]; row++) {
            int kind = record.kinds[row];
            numbers[bids] = blocks[kind].add(record.rows, row);
            if (pooled != null) {
                pooled.add(record.servers, row, kind, numbers[bids], centre);
            }
            bids++;
        }
        return bids;
    }

    /** Makes slopes of the scores of an auction's bids; returns the number of bids up to its last. */
    private int weigh(EpisodeRecord record, int auction, float advantage, int before) {
        int first = record.firstBid[auction];
        int legal = record.firstLegal[auction];
        int bids = record.bids[auction];
        distribution.begin(bids, legal);
        for (int bid = legal; bid < bids; bid++) {
            distribution.score(bid, blocks[record.kinds[first + bid]].score(numbers[before + bid - legal]));
        }
        distribution.normalise();
        findSlopes(record, auction, advantage);
        for (int bid = legal; bid < bids; bid++) {
            blocks[record.kinds[first + bid]].slope(numbers[before + bid - legal], slopes[bid]);
        }
        return before + bids - legal;
    }

    /** Finds the slopes by the scores of an auction's bids and adds to the sums. */
    private void findSlopes(EpisodeRecord record, int auction, float advantage) {
        int chosen = record.chosen[auction];
        double logRatio = distribution.logProbability(chosen) - record.logProbability[auction];
        double ratio = Math.exp(logRatio);
        double entropy = distribution.entropy();
        boolean isClipped = advantage > 0 ? ratio > 1 + clip : ratio < 1 - clip;
        sums.surrogate += advantage * (isClipped ? 1 + (advantage > 0 ? clip : -clip) : ratio);
        sums.kl += ratio - 1 - logRatio;
        sums.entropy += entropy;
        sums.clipped += isClipped ? 1 : 0;
        double weight = isClipped ? 0 : advantage * ratio;
        int bids = record.bids[auction];
        if (slopes.length < bids) {
            slopes = new float[2 * bids];
        }
        for (int bid = record.firstLegal[auction]; bid < bids; bid++) {
            double p = distribution.probability(bid);
            double slope =
                    weight * ((bid == chosen ? 1 : 0) - p) - bonus * p * (distribution.logProbability(bid) + entropy);
            slopes[bid] = (float) slope;
        }
    }

    /** Adds the gradient, times a factor. */
    void addTo(float[] sum, float factor) {
        for (BidBlock block : blocks) {
            block.addGradient(sum, factor);
        }
    }

    /** Of the auctions since {@link #clear}. */
    Sums sums() {
        return sums;
    }
}
