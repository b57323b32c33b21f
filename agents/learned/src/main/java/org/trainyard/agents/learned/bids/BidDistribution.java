package org.trainyard.agents.learned.bids;

import java.util.random.RandomGenerator;

/** The softmax of the scores of an auction's legal bids. */
public final class BidDistribution {
    private int from;
    private int to;
    private double[] logProbability = new double[64];
    private double[] probability = new double[64];

    /** Makes probabilities of the scores of the bids from the first legal one on. */
    public void set(float[] scores, int size, int firstLegal) {
        if (probability.length < size) {
            probability = new double[2 * size];
            logProbability = new double[2 * size];
        }
        from = firstLegal;
        to = size;
        double most = Double.NEGATIVE_INFINITY;
        for (int bid = from; bid < to; bid++) {
            most = Math.max(most, scores[bid]);
        }
        double sum = 0;
        for (int bid = from; bid < to; bid++) {
            logProbability[bid] = scores[bid] - most;
            probability[bid] = Math.exp(logProbability[bid]);
            sum += probability[bid];
        }
        double log = Math.log(sum);
        for (int bid = from; bid < to; bid++) {
            logProbability[bid] -= log;
            probability[bid] /= sum;
        }
    }

    public double probability(int bid) {
        return probability[bid];
    }

    public double logProbability(int bid) {
        return logProbability[bid];
    }

    /** A bid with its probability. */
    public int draw(RandomGenerator random) {
        double left = random.nextDouble();
        for (int bid = from; bid < to - 1; bid++) {
            left -= probability[bid];
            if (left < 0) {
                return bid;
            }
        }
        return to - 1;
    }
}
