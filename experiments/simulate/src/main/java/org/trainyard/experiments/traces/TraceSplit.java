package org.trainyard.experiments.traces;

/**
 * How a trace is split into episodes.
 *
 * @param jobs jobs of an episode, at least 2
 * @param trainShare share of the trace's time span for training, from its start; 0 where nothing is trained
 * @param validationShare share of the span for validation, after that; the rest is for test episodes
 * @param isWarm whether episodes begin with what ran and waited then
 */
public record TraceSplit(
        int jobs,
        double trainShare,
        double validationShare,
        int validationEpisodes,
        int testEpisodes,
        boolean isWarm) {}
