package org.trainyard.agents.heuristic.classic;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * Admission on arrival: every job is placed once, when it arrives; a job that does not fit then is rejected and stays
 * in the pending queue.
 *
 * <p>For experiments in which jobs only arrive and never finish; see Q. Weng et al.: Beware of fragmentation, USENIX
 * ATC 2023.
 */
public final class AdmitOnArrival implements Scheduler {
    private final Placer placer;
    private int next;

    public AdmitOnArrival(Placer placer) {
        this.placer = placer;
    }

    @Override
    public Decision decide(SimView view) {
        for (next = Math.max(next, view.journalStart()); next < view.journalSize(); ) {
            boolean isArrival = view.journalKind(next) == EventKind.ARRIVE;
            int job = view.journalJob(next++);
            if (!isArrival) {
                continue;
            }
            JobSpec spec = view.job(job);
            @Nullable Placement where = view.isWithinQuota(job, spec.gpus()) ? placer.place(view, spec) : null;
            if (where != null) {
                return new Decision.Start(job, where);
            }
        }
        return Decision.WAIT;
    }
}
