package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.run.Experiment;

/**
 * Mean JCTs of schedulers as a function of the error of predicted run times.
 *
 * @param schedulers the schedulers, in the order asked for
 * @param sources sources of predictions: log-normal errors of growing size, then predictors that learn
 */
public record PredictionErrorCurve(List<String> schedulers, List<Source> sources) {
    /**
     * One source of predictions.
     *
     * @param name in tables
     * @param sigma standard deviation of the error's natural logarithm, or NaN for a predictor that learns
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

    /**
     * Runs the schedulers of an experiment on its test episodes once for each sigma, once with a forest and once
     * with history.
     */
    public static PredictionErrorCurve measure(ExperimentConfig config, List<Double> sigmas) {
        List<Source> sources = new ArrayList<>();
        for (double sigma : sigmas) {
            sources.add(source(config, "log-normal " + sigma, sigma, new RuntimeConfig.Lognormal(sigma)));
        }
        sources.add(source(config, "forest", Double.NaN, new RuntimeConfig.Forest()));
        sources.add(source(config, "history", Double.NaN, new RuntimeConfig.History()));
        return new PredictionErrorCurve(config.schedulers(), sources);
    }

    private static Source source(ExperimentConfig config, String name, double sigma, RuntimeConfig runtime) {
        try (Experiment experiment = new Experiment(config.withRuntime(runtime))) {
            ExperimentEvaluation tested =
                    ExperimentEvaluation.of(experiment, ExperimentEvaluation.Plan.of(config.schedulers()));
            List<Double> means = tested.evaluation().scores().stream()
                    .map(score -> score.jct().mean())
                    .toList();
            return new Source(name, sigma, means);
        }
    }
}
