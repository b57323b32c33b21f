package org.trainyard.experiments.evaluation;

import java.util.List;

/**
 * What errors of predicted run times cost schedulers: mean job completion times by the source of the guesses.
 *
 * @param schedulers the schedulers, in the order asked for
 * @param sources the sources of guesses, errors of growing size first
 */
public record PredictionErrorCurve(List<String> schedulers, List<Source> sources) {
    /**
     * One source of guesses.
     *
     * @param name for people
     * @param sigma standard deviation of the error's natural logarithm, or NaN for guesses that learn
     * @param meanJctSeconds of each scheduler, over the jobs of all episodes, seconds
     */
    public record Source(String name, double sigma, List<Double> meanJctSeconds) {
        public Source {
            meanJctSeconds = List.copyOf(meanJctSeconds);
        }

        /** Whether it is a point of the curve rather than a predictor that learns. */
        public boolean isNoise() {
            return !Double.isNaN(sigma);
        }
    }

    public PredictionErrorCurve {
        schedulers = List.copyOf(schedulers);
        sources = List.copyOf(sources);
        for (Source source : sources) {
            if (source.meanJctSeconds().size() != schedulers.size()) {
                throw new IllegalArgumentException("%d times of %d schedulers (%s)"
                        .formatted(source.meanJctSeconds().size(), schedulers.size(), source.name()));
            }
        }
    }
}
