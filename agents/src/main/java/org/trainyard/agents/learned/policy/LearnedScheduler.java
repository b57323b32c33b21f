package org.trainyard.agents.learned.policy;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.Observer;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * A trained policy at work: the likeliest action of every agent, through the same dispatcher and observer as in training.
 *
 * <p>In a round all agents are scored in one batch and act in order, as in the gym; rounds follow until nobody has a choice.
 */
public final class LearnedScheduler implements Scheduler {
    private final Policy policy;
    private final Domains domains;
    private final int maxHops;
    private final Orders orders = new Orders();
    private final ArrayDeque<Decision> decided = new ArrayDeque<>();
    private final Observer observer;
    private final float[] rows;
    private final int[] actions;
    private final int[] chosen;
    private final boolean[] active;
    private @Nullable ActionExecutor dispatcher;
    private int next;

    /**
     * @param policy stays the caller's
     * @param belief what the policy is told of interference
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
        observer = new Observer(topology, domains, window, preemption, belief);
        rows = new float[domains.count() * observer.spec().size()];
        actions = new int[domains.count()];
        chosen = new int[domains.count()];
        active = new boolean[domains.count()];
        next = domains.count();
    }

    private final class Orders implements DecisionSink {
        @Override
        public void start(int job, Placement placement) {
            decided.add(new Decision.Start(job, placement));
        }

        @Override
        public void forward(int job, int domain) {
            decided.add(new Decision.Forward(job, domain));
        }

        @Override
        public void preempt(int job) {
            decided.add(new Decision.Preempt(job));
        }
    }

    @Override
    public Decision decide(SimView view) {
        ActionExecutor desk = dispatcher;
        if (desk == null) {
            desk = new ActionExecutor(view, domains, observer.spec().actions(), observer.preview(), maxHops, null);
            dispatcher = desk;
        }
        while (decided.isEmpty()) {
            while (next < domains.count() && decided.isEmpty()) {
                int agent = next++;
                if (active[agent]) {
                    desk.act(agent, actions[agent], orders);
                }
            }
            if (decided.isEmpty()) {
                desk.beginRound();
                if (!desk.anyActive()) {
                    return Decision.WAIT;
                }
                look(view, desk);
            }
        }
        return decided.remove();
    }

    /** Lets the policy see the agents that have a choice, one after another. */
    private void look(SimView view, ActionExecutor desk) {
        ObservationSpace spec = observer.spec();
        int seen = 0;
        for (int agent = 0; agent < domains.count(); agent++) {
            active[agent] = desk.isActive(agent);
            if (active[agent] && policy.readsOffersOnly()) {
                observer.writeOffers(view, desk, agent, rows, seen++ * spec.size());
            } else if (active[agent]) {
                observer.write(view, desk, agent, rows, seen++ * spec.size());
            }
        }
        policy.act(rows, seen, spec, chosen);
        seen = 0;
        for (int agent = 0; agent < domains.count(); agent++) {
            if (active[agent]) {
                actions[agent] = chosen[seen++];
            }
        }
        desk.announce(actions, 0);
        next = 0;
    }
}
