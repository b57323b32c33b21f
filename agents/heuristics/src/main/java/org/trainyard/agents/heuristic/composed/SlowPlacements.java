package org.trainyard.agents.heuristic.composed;

import org.trainyard.env.performance.ring.RingSlowdown;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/** Which placements a job does not take while it is delayed or held, because the ring of their GPUs is slow. */
final class SlowPlacements {
    private final RingSlowdown slowdown;
    private final SetChoice choice;
    private final double most;
    private final double runs;
    /** The job for which another has just been preempted: it takes what there is, and when. */
    private int preemptor = SimView.NONE;

    private long preemptedNanos;

    SlowPlacements(ComposedSettings settings, Topology topology, SetChoice choice) {
        this.choice = choice;
        slowdown = new RingSlowdown(topology);
        most = settings.value(Knob.SLOW);
        // A delay counts a slow placement as one on too many servers, unless that has a wait of its own.
        runs = settings.value(Knob.HOLD) > 0 ? settings.value(Knob.HOLD) : settings.value(Knob.DELAY);
    }

    /** The longest wait for a better placement, in predicted run times. */
    double runs() {
        return runs;
    }

    /** Whether a job waits rather than takes this placement, if it may wait at all. */
    boolean refuses(SimView view, int job, Placement where) {
        return most < Double.POSITIVE_INFINITY
                && runs > 0
                && !(job == preemptor && view.nowNanos() == preemptedNanos)
                && slowdown(view, view.job(job), where) > most;
    }

    private double slowdown(SimView view, JobSpec job, Placement where) {
        return where.serverCount() > 1 || !choice.counts()
                ? slowdown.of(job, where)
                : choice.slowdown(view, job, where.server(0), where.maskOn(0), where.gpuCount());
    }

    /** Notes that another job has been preempted for this one. */
    void preempted(SimView view, int job) {
        preemptor = job;
        preemptedNanos = view.nowNanos();
    }
}
