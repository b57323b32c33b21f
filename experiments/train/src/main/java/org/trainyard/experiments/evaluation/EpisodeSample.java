package org.trainyard.experiments.evaluation;

/**
 * The test episodes as a sample, from which comparisons conclude.
 *
 * @param seed root seed of the experiment, from which the bootstrap derives its stream
 * @param overlapping whether episodes share jobs: they are not independent then, and no verdict is given
 */
public record EpisodeSample(long seed, boolean overlapping) {
    /** Episodes that share no jobs. */
    public static EpisodeSample independent(long seed) {
        return new EpisodeSample(seed, false);
    }
}
