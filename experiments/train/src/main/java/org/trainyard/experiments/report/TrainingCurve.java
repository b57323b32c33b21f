package org.trainyard.experiments.report;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/**
 * One metric over the updates of a training run.
 *
 * @param name the metric with its unit, such as {@code decisions/s}
 * @param points in order of updates; values that are not finite are gaps
 */
public record TrainingCurve(String name, List<Point> points) {
    /** The value of an update. */
    public record Point(long update, double value) {
        @JsonValue
        List<Object> pair() {
            return List.of(update, value);
        }
    }

    public TrainingCurve {
        points = List.copyOf(points);
    }
}
