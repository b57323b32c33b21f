package org.trainyard.experiments.forecast;

import java.util.Arrays;

/** Rules by which a wait is forecast; which of them is the better one is found on the past of a log. */
enum ForecastRule {
    SIMULATED("the simulated futures"),
    MEAN_OF_SIMILAR("the mean wait of similar past jobs"),
    MEDIAN_OF_SIMILAR("the median wait of similar past jobs");

    private final String words;

    ForecastRule(String words) {
        this.words = words;
    }

    /** Index of the rule in a list by rule. */
    @SuppressWarnings("EnumOrdinal")
    int index() {
        return ordinal();
    }

    String words() {
        return words;
    }

    /**
     * The rest of a job's wait by this rule, not calibrated; as simulated where too few similar jobs waited as long as
     * it has, and where no future starts it.
     *
     * @param similar waits of similar past jobs from the moment on, sorted ascending
     */
    Quantiles raw(Quantiles simulated, double[] similar) {
        if (this == SIMULATED || similar.length < WaitEstimator.ENOUGH || Double.isInfinite(simulated.p50())) {
            return simulated;
        }
        Quantiles waits = Quantiles.of(similar);
        double mean = Arrays.stream(similar).average().orElse(0);
        return this == MEDIAN_OF_SIMILAR
                ? waits
                : new Quantiles(Math.min(waits.p10(), mean), mean, Math.max(waits.p90(), mean));
    }
}
