package org.trainyard.experiments.advice;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.ConsolidatingPlacer;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** A job starts on as few servers as an empty cluster would give it, or waits. */
final class NarrowFit implements Placer {
    private final ConsolidatingPlacer servers =
            new ConsolidatingPlacer((view, job, server, room, workers, shares) -> 0);

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        int widest = 1;
        for (int server = 0; server < view.topology().servers(); server++) {
            widest = Math.max(widest, view.topology().gpusOn(server));
        }
        return servers.place(view, job, Math.max(1, (job.gpus() + widest - 1) / widest));
    }

    @Override
    public boolean splitsAnywhere() {
        return false;
    }
}
