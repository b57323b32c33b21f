package org.trainyard.interference.runtime;

/**
 * A guess of a run time.
 *
 * @param seconds the best single guess: the exponential of the mean logarithm
 * @param p50 half of such jobs are over by then, seconds
 * @param p90 nine in ten of such jobs are over by then, seconds
 */
public record RuntimeGuess(double seconds, double p50, double p90) {}
