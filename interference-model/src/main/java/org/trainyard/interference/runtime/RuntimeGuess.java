package org.trainyard.interference.runtime;

/**
 * A predicted run time.
 *
 * @param seconds point prediction: the exponential of the mean logarithm
 * @param expected mean seconds, which rare long runs raise
 * @param p50 median of the predicted distribution, seconds
 * @param p90 90th percentile of the predicted distribution, seconds
 */
public record RuntimeGuess(double seconds, double expected, double p50, double p90) {}
