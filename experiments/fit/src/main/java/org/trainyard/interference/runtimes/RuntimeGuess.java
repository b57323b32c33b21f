package org.trainyard.interference.runtimes;

/**
 * A predicted run time.
 *
 * @param seconds point prediction: the exponential of the mean logarithm
 * @param p50 median of the predicted distribution, seconds
 * @param p90 90th percentile of the predicted distribution, seconds
 */
public record RuntimeGuess(double seconds, double p50, double p90) {}
