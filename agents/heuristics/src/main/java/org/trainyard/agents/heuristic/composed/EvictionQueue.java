package org.trainyard.agents.heuristic.composed;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.preemption.PlacementPreview;
import org.trainyard.env.scheduling.preemption.PreemptionCharge;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;
import org.trainyard.env.scheduling.preemption.SharedGpuPreemption;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * The decisions of a {@link PreemptionPlan}, handed out one by one: all victims are preempted, those that migrate are
 * started again, and the waiting job is remembered, because its placement is free from then on.
 */
final class EvictionQueue {
    private final PlacementPreview preview;
    private final Rank remainingSeconds;
    private final DecisionQueue decisions = new DecisionQueue();
    private final boolean clearsFewest;
    private final boolean keepsToRack;
    private final PreemptionCharge charge;
    private final InterferenceModel belief;
    /** The run of the planners, which are made when they are needed. */
    private @Nullable SimView planned;

    private @Nullable PreemptionPlanner planner;
    private @Nullable SharedGpuPreemption shared;
    private int beneficiary = SimView.NONE;
    /** The length of the journal once the decision handed out last has been applied. */
    private int journalThen;

    /** @param keepsToRack whether plans keep to one rack, where one can hold the gang */
    EvictionQueue(
            Topology topology,
            InterferenceModel belief,
            Rank remainingSeconds,
            boolean keepsToRack,
            PreemptionCharge charge) {
        this.charge = charge;
        this.belief = belief;
        this.keepsToRack = keepsToRack;
        preview = new PlacementPreview(topology, belief);
        this.remainingSeconds = remainingSeconds;
        boolean isUniform = true;
        for (int server = 0; server < topology.servers(); server++) {
            isUniform &= topology.gpusOn(server) == 0 || topology.gpusOn(server) == topology.widestServer();
        }
        clearsFewest = isUniform && !keepsToRack;
    }

    /**
     * Whether a plan clears what a delayed job waits for: where servers differ in size, it may clear several small ones
     * in place of a large one, and a plan that keeps to racks leaves them where none can be cleared.
     */
    boolean clearsFewest() {
        return clearsFewest;
    }

    /** Queues the plan for a waiting job and returns its first decision; null without a plan of at most this cost. */
    @Nullable Decision begin(SimView view, int job, double mostCost) {
        use(view);
        PreemptionPlanner known = planner;
        if (known == null) {
            known = new PreemptionPlanner(
                    view, 0, view.topology().servers(), remainingSeconds, preview, keepsToRack, charge);
            planner = known;
        }
        PreemptionPlan plan = known.plan(job);
        if (plan == null || plan.cost() > mostCost) {
            return null;
        }
        known.carryOut(plan, new PlacementBuilder(view.topology(), view.cluster()), decisions);
        beneficiary = job;
        return handOut(view);
    }

    /**
     * Queues the plan for a waiting job on a cluster whose GPUs are shared, and returns its first decision; null
     * without a plan.
     *
     * @param leastRank victims have a higher rank
     * @param mostInterference greatest predicted interference where the job would start
     */
    @Nullable Decision beginShared(SimView view, int job, double leastRank, double mostInterference) {
        use(view);
        SharedGpuPreemption known = shared;
        if (known == null) {
            known = new SharedGpuPreemption(view, belief, remainingSeconds, keepsToRack, charge);
            shared = known;
        }
        PreemptionPlan plan = known.plan(job, leastRank, mostInterference);
        if (plan == null) {
            return null;
        }
        known.carryOut(plan, new PlacementBuilder(view.topology(), view.cluster()), decisions);
        beneficiary = job;
        return handOut(view);
    }

    private void use(SimView view) {
        if (planned != view) {
            planned = view;
            planner = null;
            shared = null;
        }
    }

    private Decision handOut(SimView view) {
        journalThen = view.journalSize() + 1;
        return decisions.remove();
    }

    /**
     * The next decision of the plan; null when all are handed out, or when something else has happened since the last.
     */
    @Nullable Decision next(SimView view) {
        if (view.journalSize() != journalThen) {
            decisions.clear();
            beneficiary = SimView.NONE;
        }
        return decisions.isEmpty() ? null : handOut(view);
    }

    /** The job for which the plan has made room, once; {@link SimView#NONE} otherwise. */
    int takeBeneficiary() {
        int job = beneficiary;
        beneficiary = SimView.NONE;
        return job;
    }
}
