package org.trainyard.env.gym.action;

import org.trainyard.env.gym.domain.DomainQueues;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.PreemptionPlanner;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.PlacementPool;

/**
 * What actions of agents do: jobs are selected, forwarded, held, placed server by server and started, and others
 * preempted for them.
 */
final class ActionEffects {
    private final SimView view;
    private final Domains domains;
    private final ActionSpace actions;
    private final PlacementPool pool;
    private final DomainQueues queues;
    private final PartialPlacements partial;
    private final ActionMasker masker;
    private final JobWindows windows;
    private int journalRead;

    /** @param pool provides placements; it may reuse them only if the sink of the decisions does not keep any */
    ActionEffects(
            SimView view,
            Domains domains,
            ActionSpace actions,
            PlacementPool pool,
            DomainQueues queues,
            PartialPlacements partial,
            ActionMasker masker) {
        this.view = view;
        this.domains = domains;
        this.actions = actions;
        this.pool = pool;
        this.queues = queues;
        this.partial = partial;
        this.masker = masker;
        windows = masker.windows();
        pool.forgetLent();
    }

    /** Gives placements of jobs that run no longer back to the pool. */
    void releasePlacements() {
        for (; journalRead < view.journalSize(); journalRead++) {
            switch (view.journalKind(journalRead)) {
                case FINISH, PREEMPT, KILL, RESIZE -> pool.release(view.journalJob(journalRead));
                case ARRIVE, START, FORWARD, DOWN, UP, REJECT, FREEZE, HOST_CPU, HOST_MEMORY -> {}
            }
        }
    }

    /**
     * Carries out a legal action that is not to wait.
     *
     * @param decisions receives the decisions that follow
     */
    void carryOut(int agent, int action, DecisionSink decisions) {
        if (actions.slotOf(action) >= 0) {
            select(agent, windows.job(agent, actions.slotOf(action)), decisions);
            return;
        }
        if (actions.preemptOf(action) >= 0) {
            preemptFor(agent, windows.job(agent, actions.preemptOf(action)), decisions);
            return;
        }
        int job = partial.job(agent);
        if (action == actions.hold()) {
            windows.hold(job);
            partial.clear(agent);
            return;
        }
        int target = actions.forwardOf(action);
        if (target >= 0) {
            partial.clear(agent);
            queues.forward(job, target);
            decisions.forward(job, target);
        } else {
            place(agent, job, action, decisions);
        }
    }

    private void select(int agent, int job, DecisionSink decisions) {
        if (queues.domainOf(job) != agent) {
            queues.forward(job, agent);
            decisions.forward(job, agent);
        }
        partial.select(agent, job);
    }

    private void preemptFor(int agent, int job, DecisionSink decisions) {
        PreemptionPlanner planner = masker.planner(agent);
        PreemptionPlan plan = planner.plan(job);
        if (plan != null) {
            planner.carryOut(plan, partial.builder(agent), decisions);
        }
        select(agent, job, decisions);
    }

    private void place(int agent, int job, int action, DecisionSink decisions) {
        int lender = actions.borrowOf(action);
        int server =
                lender >= 0 ? partial.bestServer(agent, lender) : domains.firstServer(agent) + actions.serverOf(action);
        PlacementBuilder builder = partial.builder(agent);
        builder.take(server, Math.min(partial.left(agent), builder.available(server)));
        if (partial.left(agent) == 0) {
            releasePlacements();
            Placement placement = builder.build();
            partial.clear(agent);
            pool.lend(job, placement);
            decisions.start(job, placement);
        }
    }
}
