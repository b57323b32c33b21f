package org.trainyard.agents.learned.policy;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.ObservationSpace;
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
    private final Policy policy;
    private final Domains domains;
    private final int maxHops;
    private final DecisionQueue decided = new DecisionQueue();
    private final Observer observer;
    private final float[] rows;
    private final int[] actions;
    private final int[] chosen;
    private final boolean[] active;
    /** By agent, whether the policy is asked in this round; other active agents wait. */
    private final boolean[] scored;

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
        this.policy = policy;
        this.domains = domains;
        this.maxHops = maxHops;
        observer = new Observer(topology, domains, window, preemption, belief, policy::reads);
        rows = new float[domains.count() * observer.spec().size()];
        actions = new int[domains.count()];
        chosen = new int[domains.count()];
        active = new boolean[domains.count()];
        scored = new boolean[domains.count()];
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
                if (active[agent]) {
                    executor.act(agent, actions[agent], decided);
                }
            }
            if (decided.isEmpty()) {
                executor.beginRoundOfActive();
                if (!executor.anyActive()) {
                    return Decision.WAIT;
                }
                score(view, executor);
            }
        }
        return decided.remove();
    }

    /** Begins a round: scores all agents that have a choice. */
    private void score(SimView view, ActionExecutor executor) {
        ObservationSpace spec = observer.spec();
        int row = 0;
        for (int agent = 0; agent < domains.count(); agent++) {
            active[agent] = executor.isActive(agent);
            scored[agent] = active[agent] && policy.mightAct(executor, agent);
            actions[agent] = ActionSpace.WAIT;
            if (scored[agent] && policy.readsOffersOnly()) {
                observer.writeOffers(view, executor, agent, rows, row++ * spec.size());
            } else if (scored[agent]) {
                observer.write(view, executor, agent, rows, row++ * spec.size());
            }
        }
        policy.act(rows, row, spec, chosen);
        row = 0;
        for (int agent = 0; agent < domains.count(); agent++) {
            if (scored[agent]) {
                actions[agent] = chosen[row++];
            }
        }
        executor.announce(actions, 0);
        next = 0;
    }
}
