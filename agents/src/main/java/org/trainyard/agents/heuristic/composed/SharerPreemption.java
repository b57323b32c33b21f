package org.trainyard.agents.heuristic.composed;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.preemption.PreemptionCharge;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.SharedMigration;
import org.trainyard.env.scheduling.preemption.SharedRoomPlanner;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Carries out a plan of {@link SharedRoomPlanner} one decision at a time: the victims are preempted at one instant,
 * those that migrate are started again, then the pending job may start.
 */
final class SharerPreemption {
    private final Topology topology;
    private final SharedRoomPlanner planner;
    private final DecisionQueue decisions = new DecisionQueue();
    private int newcomer = SimView.NONE;

    /** @param moves whether plans keep to the fewest racks and migrate jobs */
    SharerPreemption(Topology topology, InterferenceModel belief, Rank rank, boolean moves, PreemptionCharge charge) {
        this.topology = topology;
        planner = new SharedRoomPlanner(belief, rank, moves, charge);
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
        SharedMigration.carryOut(view, plan, new PlacementBuilder(topology, view.cluster()), decisions);
        return decisions.remove();
    }

    /** The next decision of the plan, or null when its victims are gone. */
    @Nullable Decision next() {
        return decisions.isEmpty() ? null : decisions.remove();
    }

    /** The job for which the last plan has made room, once; otherwise none. */
    int takeNewcomer() {
        int job = newcomer;
        newcomer = SimView.NONE;
        return job;
    }
}
