package org.trainyard.experiments.report;

import java.util.List;

/**
 * One figure over the updates of several training runs that differ in their seeds.
 *
 * @param name what it is, with its unit
 * @param seeds a curve for each run, by the name its policy has in the tables
 */
public record SeedCurves(String name, List<TrainingCurve> seeds) {
    public SeedCurves {
        seeds = List.copyOf(seeds);
    }
}
