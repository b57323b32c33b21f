package org.trainyard.agents.learned.policy;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.Observer;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.PlacementPool;
import org.trainyard.env.topology.Topology;

/**
 * A policy as a scheduler: every agent takes the policy's best action, through the same observer and action executor as in training. A
 * network's best action is the likeliest action of the likeliest kind, a linear rule's the one of the greatest score.
 *
 * <p>A round scores all agents that have a choice in one batch, and they act in order, as in the gym; rounds follow until no agent has a
 * choice.
 */
public final class LearnedScheduler implements Scheduler {
    private final Domains domains;
    private final int maxHops;
    private final DecisionQueue decided = new DecisionQueue();
    private final Observer observer;
    private final JointAction round;

    private @Nullable ActionExecutor executor;
    private int next;

    /**
     * @param policy stays the caller's
     * @param belief the interference model that observations are computed with
     */
    public LearnedScheduler(
            Policy policy,
            Topology topology,
            Domains domains,
            int window,
            int maxHops,
            boolean preemption,
            InterferenceModel belief) {
        this.domains = domains;
        this.maxHops = maxHops;
        observer = new Observer(topology, domains, window, preemption, belief, policy::reads);
        round = new JointAction(policy, observer);
        next = domains.count();
    }

    @Override
    public Decision decide(SimView view) {
        ActionExecutor executor = this.executor;
        if (executor == null) {
            executor = new ActionExecutor(
                    view,
                    domains,
                    observer.spec().actions(),
                    observer.preview(),
                    maxHops,
                    new PlacementPool(view.topology(), false));
            this.executor = executor;
        }
        while (decided.isEmpty()) {
            while (next < domains.count() && decided.isEmpty()) {
                int agent = next++;
                if (round.isActive(agent)) {
                    executor.act(agent, round.actions()[agent], decided);
                }
            }
            if (decided.isEmpty()) {
                executor.beginRoundOfActive(round.startsConsolidatedOnly());
                if (!executor.anyActive() || !round.choose(view, executor)) {
                    return Decision.WAIT;
                }
                executor.announce(round.actions(), 0);
                next = 0;
            }
        }
        return decided.remove();
    }
}
