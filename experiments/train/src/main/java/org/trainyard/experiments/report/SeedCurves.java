package org.trainyard.experiments.report;

import java.util.List;

/**
 * One metric over the updates of several training runs with different seeds.
 *
 * @param name the metric with its unit
 * @param seeds a curve for each run, named like its policy in the tables
 */
public record SeedCurves(String name, List<TrainingCurve> seeds) {
    public SeedCurves {
        seeds = List.copyOf(seeds);
    }
}
