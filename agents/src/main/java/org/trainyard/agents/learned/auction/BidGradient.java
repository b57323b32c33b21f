package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import org.trainyard.agents.learned.bids.BidDistribution;
import org.trainyard.agents.learned.bids.BidNetwork;

/**
 * The gradient of the clipped surrogate objective with an entropy bonus (J. Schulman et al.: Proximal policy
 * optimization algorithms, 2017) over some auctions, less the cross-entropy with the bids of a teacher where there
 * is one. The derivatives by the scores are written out, and {@link BidNetwork#backward} takes them to the weights.
 */
final class BidGradient {
    private final BidNetwork network;
    private final double clip;
    private final double bonus;
    private double teacherWeight;
    private final float[] gradient;
    /** The hidden units of the bids of an auction. */
    private float[] units;

    private final BidInputs noInputs = BidInputs.none();
    private final BidDistribution distribution = new BidDistribution();
    private final Sums sums = new Sums();

    /** Metrics of some auctions, summed. */
    static final class Sums {
        double surrogate;
        double kl;
        double entropy;
        double clipped;
        /** KL(teacher || policy) of the auctions with a teacher, and their number. */
        double teacherKl;

        int taught;

        void add(Sums other) {
            surrogate += other.surrogate;
            kl += other.kl;
            entropy += other.entropy;
            clipped += other.clipped;
            teacherKl += other.teacherKl;
            taught += other.taught;
        }

        void clear() {
            surrogate = 0;
            kl = 0;
            entropy = 0;
            clipped = 0;
            teacherKl = 0;
            taught = 0;
        }
    }

    /**
     * Of a network whose weights may change between two auctions.
     *
     * @param clip range epsilon of the probability ratio
     * @param bonus coefficient of the entropy
     */
    BidGradient(BidNetwork network, double clip, double bonus) {
        this.network = network;
        this.clip = clip;
        this.bonus = bonus;
        gradient = new float[network.weights().length];
        units = new float[64 * network.hidden()];
    }

    /** Sets the coefficient of the cross-entropy with the bids of a teacher, which is 0 at first. */
    void teach(double weight) {
        teacherWeight = weight;
    }

    void clear() {
        Arrays.fill(gradient, 0);
        sums.clear();
    }

    /** Adds an auction with its advantage, of bids without further inputs. */
    void add(EpisodeRecord record, int auction, float advantage) {
        add(record, auction, advantage, noInputs);
    }

    /** Adds an auction with its advantage; {@code inputs} are those of its bids and get the gradient by them. */
    void add(EpisodeRecord record, int auction, float advantage, BidInputs inputs) {
        score(record, auction, inputs);
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
        sums.taught += record.isTaught ? 1 : 0;
        for (int bid = record.firstLegal[auction]; bid < record.bids[auction]; bid++) {
            double p = distribution.probability(bid);
            double slope =
                    weight * ((bid == chosen ? 1 : 0) - p) - bonus * p * (distribution.logProbability(bid) + entropy);
            if (record.isTaught) {
                double wanted = record.teacher[record.firstBid[auction] + bid];
                sums.teacherKl += divergence(wanted, bid);
                slope += teacherWeight * (wanted - p);
            }
            if (slope != 0) {
                descend(record, record.firstBid[auction] + bid, (float) slope, inputs, bid);
            }
        }
    }

    /** What a bid adds to KL(target || policy). */
    private double divergence(double target, int bid) {
        return target > 0 ? target * (Math.log(target) - distribution.logProbability(bid)) : 0;
    }

    private void score(EpisodeRecord record, int auction, BidInputs inputs) {
        int first = record.firstBid[auction];
        int legal = record.firstLegal[auction];
        int bids = record.bids[auction];
        int hidden = network.hidden();
        if (units.length < bids * hidden) {
            units = new float[2 * bids * hidden];
        }
        distribution.begin(bids, legal);
        float[] further = inputs.values();
        for (int bid = legal; bid < bids; bid++) {
            int kind = record.kinds[first + bid];
            float score =
                    network.score(kind, record.rows, first + bid, further, bid * inputs.size(), units, bid * hidden);
            distribution.score(bid, score);
        }
        distribution.normalise();
    }

    private void descend(EpisodeRecord record, int row, float slope, BidInputs inputs, int bid) {
        int kind = record.kinds[row];
        int unitsAt = bid * network.hidden();
        network.backward(kind, record.rows, row, slope, units, unitsAt, gradient);
        if (inputs.size() > 0) {
            network.backwardFurther(
                    kind, inputs.values(), bid * inputs.size(), slope, units, unitsAt, gradient, inputs.gradient());
        }
    }

    /** Adds the gradient, times a factor. */
    void addTo(float[] sum, float factor) {
        for (int w = 0; w < sum.length; w++) {
            sum[w] += factor * gradient[w];
        }
    }

    /** Of the auctions since {@link #clear}. */
    Sums sums() {
        return sums;
    }
}
