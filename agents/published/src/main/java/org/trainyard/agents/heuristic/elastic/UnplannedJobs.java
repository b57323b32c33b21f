package org.trainyard.agents.heuristic.elastic;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * Jobs with other demands than whole GPUs of any type, which elastic allocations leave out: they start where they fit
 * and keep their GPUs.
 */
public final class UnplannedJobs {
    private final Placer placer;
    /** The jobs in order of submission. */
    private final IntArrayList jobs = new IntArrayList();

    public UnplannedJobs(Placer placer) {
        this.placer = placer;
    }

    /** Keeps a job that has been submitted when it is one of these. */
    public void arrive(SimView view, int job) {
        if (!view.job(job).demand().isPlain()) {
            jobs.add(job);
        }
    }

    /** The start of the first of the jobs that fits, or null. */
    public @Nullable Decision start(SimView view) {
        boolean someAreDone = false;
        for (int i = 0; i < jobs.size(); i++) {
            int job = jobs.getInt(i);
            JobState state = view.state(job);
            someAreDone |= state == JobState.DONE;
            JobSpec spec = view.job(job);
            if (state == JobState.WAITING && view.isWithinQuota(job, spec.gpus())) {
                Placement where = placer.place(view, spec);
                if (where != null) {
                    return new Decision.Start(job, where);
                }
            }
        }
        if (someAreDone) {
            jobs.removeIf(job -> view.state(job) == JobState.DONE);
        }
        return null;
    }
}
