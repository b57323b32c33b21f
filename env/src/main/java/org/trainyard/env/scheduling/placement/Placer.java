package org.trainyard.env.scheduling.placement;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * Chooses the GPUs of a job.
 *
 * <p>Contract: whether a job fits depends on its demand and on what is free, so a refusal holds for every job of the same demand
 * until a GPU is freed; on an idle cluster every job that is not larger than the cluster fits.
 */
public interface Placer {
    /** Free GPUs for the whole job, or null when it does not fit. */
    @Nullable Placement place(SimView view, JobSpec job);

    /** Whether any free GPUs will do, wherever they are; preemptive schedulers insist on it. */
    default boolean splitsAnywhere() {
        return true;
    }
}
