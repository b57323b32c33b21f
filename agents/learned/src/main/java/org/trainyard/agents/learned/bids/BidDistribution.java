package org.trainyard.agents.learned.bids;

import java.util.random.RandomGenerator;

/** The softmax of the scores of an auction's legal bids. */
public final class BidDistribution {
    private int from;
    private int to;
    private double[] logProbability = new double[64];
    private double[] probability = new double[64];

    /** Prepares for scores of {@code size} bids; {@link #score} takes them. */
    public void begin(int size, int firstLegal) {
        if (probability.length < size) {
            probability = new double[2 * size];
            logProbability = new double[2 * size];
        }
        from = firstLegal;
        to = size;
    }

    /** Makes probabilities of the scores of the bids from the first legal one on. */
    public void set(float[] scores, int size, int firstLegal) {
        begin(size, firstLegal);
        for (int bid = firstLegal; bid < size; bid++) {
            score(bid, scores[bid]);
        }
        normalise();
    }

    /** Sets the score of a legal bid. */
    public void score(int bid, double score) {
        logProbability[bid] = score;
    }

    /** Makes probabilities of the scores. */
    public void normalise() {
        double most = Double.NEGATIVE_INFINITY;
        for (int bid = from; bid < to; bid++) {
            most = Math.max(most, logProbability[bid]);
        }
        double sum = 0;
        for (int bid = from; bid < to; bid++) {
            logProbability[bid] -= most;
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

    /** In nats. */
    public double entropy() {
        double entropy = 0;
        for (int bid = from; bid < to; bid++) {
            entropy -= probability[bid] * logProbability[bid];
        }
        return entropy;
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
