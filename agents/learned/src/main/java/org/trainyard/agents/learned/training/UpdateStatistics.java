package org.trainyard.agents.learned.training;

import java.util.EnumMap;

/** The metrics of one update, by name. */
public final class UpdateStatistics {
    private final EnumMap<UpdateMetric, Double> values = new EnumMap<>(UpdateMetric.class);

    /** Sets a metric; returns this. */
    public UpdateStatistics with(UpdateMetric metric, double value) {
        values.put(metric, value);
        return this;
    }

    /** The value of a metric; NaN for one that the learner does not have. */
    public double get(UpdateMetric metric) {
        return values.getOrDefault(metric, Double.NaN);
    }
}
