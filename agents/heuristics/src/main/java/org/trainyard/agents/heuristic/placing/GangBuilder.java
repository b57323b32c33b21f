package org.trainyard.agents.heuristic.placing;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/** The placement builder that a placer reuses, created when the placer first sees its cluster. */
public final class GangBuilder {
    private @Nullable PlacementBuilder builder;
    private @Nullable Cluster cluster;

    /** An empty builder for the cluster of the view and that demand. */
    public PlacementBuilder on(SimView view, Demand demand) {
        PlacementBuilder kept = builder;
        if (kept == null || cluster != view.cluster()) {
            kept = new PlacementBuilder(view.topology(), view.cluster());
            builder = kept;
            cluster = view.cluster();
        }
        kept.begin(demand);
        return kept;
    }

    /** An empty builder for the demand of a job, or null when the cluster has too few free GPUs for it. */
    public @Nullable PlacementBuilder ifRoom(SimView view, JobSpec job) {
        return view.cluster().mostWorkers(job.demand()) < job.gpus() ? null : on(view, job.demand());
    }
}
