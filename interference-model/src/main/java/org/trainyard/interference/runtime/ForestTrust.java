package org.trainyard.interference.runtime;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * How far a forest's corrections are followed, learned from the finished jobs of one kind that had been corrected
 * before. The newest two hundred or so count.
 */
final class ForestTrust {
    private static final double KEPT = 0.995;
    /** Standard errors that a correction must be ahead: runs come in bursts, and a log may hold nothing to learn. */
    private static final double ERRORS = 2;

    private double product;
    private double square;
    private double variance;

    /**
     * The part of a correction that would have been best, by least squares, less two standard errors: 0..1, and 0
     * before any is known.
     */
    double weight() {
        return square > 0 ? Math.max(0, Math.min(1, (product - ERRORS * Math.sqrt(variance)) / square)) : 0;
    }

    /**
     * Learns from a job that is over.
     *
     * @param ratio logarithm of its iterations over the expected ones
     * @param correction the same, said by the forest; 0 before the first
     */
    void learn(double ratio, double correction) {
        product = KEPT * product + ratio * correction;
        square = KEPT * square + correction * correction;
        variance = KEPT * KEPT * variance + Math.pow(ratio * correction, 2);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeDouble(product);
        out.writeDouble(square);
        out.writeDouble(variance);
    }

    void read(DataInputStream in) throws IOException {
        product = in.readDouble();
        square = in.readDouble();
        variance = in.readDouble();
    }
}
