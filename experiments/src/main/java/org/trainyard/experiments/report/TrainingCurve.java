package org.trainyard.experiments.report;

import java.util.List;

/**
 * One figure over the updates of a training run.
 *
 * @param name what it is, with its unit, such as {@code decisions/s}
 * @param points in order of update; values that are not finite leave a gap
 */
public record TrainingCurve(String name, List<Point> points) {
    /** The value after an update. */
    public record Point(long update, double value) {}

    public TrainingCurve {
        points = List.copyOf(points);
    }
}
