package org.trainyard.agents.heuristic.composed;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.SharedRoomPlanner;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.SimView;

/** Carries out a plan of {@link SharedRoomPlanner} one decision at a time: the victims are preempted at one instant, then the newcomer may start. */
final class SharerPreemption {
    private final SharedRoomPlanner planner;
    private final IntArrayList victims = new IntArrayList();
    private int newcomer = SimView.NONE;

    SharerPreemption(InterferenceModel belief, Rank rank) {
        planner = new SharedRoomPlanner(belief, rank);
    }

    /**
     * Plans for a waiting job; returns the first decision of the plan, or null when there is none.
     *
     * @param leastRank victims have a higher rank
     * @param mostInterference greatest predicted interference where the job would start
     */
    @Nullable Decision begin(SimView view, int job, double leastRank, double mostInterference) {
        PreemptionPlan plan = planner.plan(view, job, leastRank, mostInterference);
        if (plan == null) {
            return null;
        }
        newcomer = job;
        for (int v = 0; v < plan.size(); v++) {
            victims.add(plan.victim(v));
        }
        return next();
    }

    /** The next decision of the plan, or null when its victims are gone. */
    @Nullable Decision next() {
        return victims.isEmpty() ? null : new Decision.Preempt(victims.removeInt(0));
    }

    /** The job for which the last plan has made room, once; otherwise none. */
    int takeNewcomer() {
        int job = newcomer;
        newcomer = SimView.NONE;
        return job;
    }
}
