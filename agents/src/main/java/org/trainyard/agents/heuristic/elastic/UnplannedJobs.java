package org.trainyard.agents.heuristic.elastic;

import it.unimi.dsi.fastutil.ints.IntList;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** Jobs with other demands than whole GPUs of any type, which elastic allocations leave out: they start where they fit and keep their GPUs. */
public final class UnplannedJobs {
    private UnplannedJobs() {}

    /** The start of the first of the jobs that fits, or null. */
    public static @Nullable Decision start(SimView view, IntList jobs, Placer placer) {
        for (int i = 0; i < jobs.size(); i++) {
            int job = jobs.getInt(i);
            JobSpec spec = view.job(job);
            if (view.state(job) == JobState.WAITING
                    && !spec.demand().isPlain()
                    && view.isWithinQuota(job, spec.gpus())) {
                Placement where = placer.place(view, spec);
                if (where != null) {
                    return new Decision.Start(job, where);
                }
            }
        }
        return null;
    }
}
