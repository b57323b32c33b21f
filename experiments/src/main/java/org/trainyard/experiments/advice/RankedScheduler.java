package org.trainyard.experiments.advice;

/**
 * One scheduler in a ranking.
 *
 * @param log under this scheduler
 * @param value of the metric, seconds
 * @param low lower end of its 95 % interval, by a bootstrap over blocks of time
 * @param high upper end
 * @param isLevel whether its paired difference to the best is too small to call
 */
public record RankedScheduler(LogOutcome log, double value, double low, double high, boolean isLevel) {}
