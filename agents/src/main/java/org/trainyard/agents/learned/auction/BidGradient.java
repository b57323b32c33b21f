package org.trainyard.agents.learned.auction;

import java.util.Arrays;
import org.trainyard.env.gym.auction.BidColumn;

/**
 * The gradient of the clipped surrogate objective with an entropy bonus (J. Schulman et al.: Proximal policy optimization algorithms, 2017) over some
 * auctions. The derivatives by the scores are written out, and {@link BidNetwork#backward} takes them to the weights.
 */
final class BidGradient {
    private final BidNetwork network;
    private final double clip;
    private final double bonus;
    private final float[] gradient;
    private final float[] scratch;
    private double[] scores = new double[64];
    private double kl;
    private double entropySum;
    private int clipped;

    BidGradient(BidNetwork network, double clip, double bonus) {
        this.network = network;
        this.clip = clip;
        this.bonus = bonus;
        gradient = new float[network.weights().length];
        scratch = new float[network.hidden()];
    }

    void clear() {
        Arrays.fill(gradient, 0);
        kl = 0;
        entropySum = 0;
        clipped = 0;
    }

    /** Adds an auction with its advantage. */
    void add(EpisodeRecord record, int auction, float advantage) {
        int first = record.firstBid[auction];
        int size = record.bids[auction];
        int legal = record.firstLegal[auction];
        if (scores.length < size) {
            scores = new double[2 * size];
        }
        double most = Double.NEGATIVE_INFINITY;
        for (int bid = legal; bid < size; bid++) {
            int at = (first + bid) * BidColumn.COUNT;
            scores[bid] = network.score(record.kinds[first + bid], record.columns, at, scratch);
            most = Math.max(most, scores[bid]);
        }
        double sum = 0;
        for (int bid = legal; bid < size; bid++) {
            sum += Math.exp(scores[bid] - most);
        }
        double log = most + Math.log(sum);
        double entropy = 0;
        for (int bid = legal; bid < size; bid++) {
            double logp = scores[bid] - log;
            entropy -= Math.exp(logp) * logp;
        }
        int chosen = record.chosen[auction];
        double logRatio = scores[chosen] - log - record.logProbability[auction];
        double ratio = Math.exp(logRatio);
        kl += ratio - 1 - logRatio;
        entropySum += entropy;
        boolean isClipped = advantage > 0 ? ratio > 1 + clip : ratio < 1 - clip;
        clipped += isClipped ? 1 : 0;
        double weight = isClipped ? 0 : advantage * ratio;
        for (int bid = legal; bid < size; bid++) {
            double logp = scores[bid] - log;
            double p = Math.exp(logp);
            double slope = weight * ((bid == chosen ? 1 : 0) - p) - bonus * p * (logp + entropy);
            if (slope != 0) {
                int at = (first + bid) * BidColumn.COUNT;
                network.score(record.kinds[first + bid], record.columns, at, scratch);
                network.backward(record.kinds[first + bid], record.columns, at, (float) slope, scratch, gradient);
            }
        }
    }

    void addTo(float[] sum, float factor) {
        for (int w = 0; w < sum.length; w++) {
            sum[w] += factor * gradient[w];
        }
    }

    double kl() {
        return kl;
    }

    double entropySum() {
        return entropySum;
    }

    int clippedCount() {
        return clipped;
    }
}
