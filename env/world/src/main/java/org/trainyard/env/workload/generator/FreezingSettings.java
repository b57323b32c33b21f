package org.trainyard.env.workload.generator;

import static org.trainyard.env.InvalidFieldException.within;

/**
 * Which jobs allow frozen layers, and on which terms.
 *
 * @param share of all jobs, 0..1
 * @param tolerance the most of the gradient energy that a scheduler should freeze, 0..1
 * @param weight of the frozen share of gradient energy in the penalty on progress, 0..1
 * @param caches whether the output of frozen layers is cached
 */
public record FreezingSettings(double share, double tolerance, double weight, boolean caches) {
    public FreezingSettings {
        within(0, 1, "share", share);
        within(0, 1, "tolerance", tolerance);
        within(0, 1, "weight", weight);
    }

    /** This share of the jobs on the terms of IceFrog as we read them: a tolerance of 3 % and a weight of 1. */
    public static FreezingSettings of(double share) {
        return new FreezingSettings(share, 0.03, 1, false);
    }
}
