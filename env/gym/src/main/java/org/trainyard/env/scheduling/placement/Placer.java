package org.trainyard.env.scheduling.placement;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * A placer: chooses the GPUs of a job.
 *
 * <p>Contract: whether a job fits depends only on its demand and on the free resources, so a refusal holds for every
 * job of the same demand until a GPU is freed; on an idle cluster every job that is not larger than the cluster fits.
 */
public interface Placer {
    /** A placement of the whole job on free GPUs, or null when it does not fit. */
    @Nullable Placement place(SimView view, JobSpec job);

    /** Whether any set of free GPUs is a valid placement; preemptive schedulers require it. */
    default boolean splitsAnywhere() {
        return true;
    }
}
