package org.trainyard.agents.learned;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.Dispatcher;
import org.trainyard.env.gym.Domains;
import org.trainyard.env.gym.ObservationSpec;
import org.trainyard.env.gym.Observer;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.simulation.Decision;
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
    private final PolicyNetwork policy;
    private final Domains domains;
    private final int maxHops;
    private final Orders orders = new Orders();
    private @Nullable Decision decided;
    private final Observer observer;
    private final float[] rows;
    private final int[] actions;
    private final boolean[] active;
    private @Nullable Dispatcher dispatcher;
    private int next;

    /**
     * @param policy stays the caller's
     * @param belief what the policy is told of interference
     */
    public LearnedScheduler(
            PolicyNetwork policy,
            Topology topology,
            Domains domains,
            int window,
            int maxHops,
            InterferenceModel belief) {
        this.policy = policy;
        this.domains = domains;
        this.maxHops = maxHops;
        observer = new Observer(topology, domains, window, belief);
        rows = new float[domains.count() * observer.spec().size()];
        actions = new int[domains.count()];
        active = new boolean[domains.count()];
        next = domains.count();
    }

    private final class Orders implements Dispatcher.Orders {
        @Override
        public void start(int job, Placement placement) {
            decided = new Decision.Start(job, placement);
        }

        @Override
        public void forward(int job, int domain) {
            decided = new Decision.Forward(job, domain);
        }
    }

    @Override
    public Decision decide(SimView view) {
        Dispatcher desk = dispatcher;
        if (desk == null) {
            desk = new Dispatcher(view, domains, observer.spec().actions(), maxHops);
            dispatcher = desk;
        }
        while (true) {
            while (next < domains.count()) {
                int agent = next++;
                decided = null;
                if (active[agent]) {
                    desk.act(agent, actions[agent], orders);
                }
                if (decided != null) {
                    return decided;
                }
            }
            desk.beginRound();
            if (!desk.anyActive()) {
                return Decision.WAIT;
            }
            look(view, desk);
        }
    }

    private void look(SimView view, Dispatcher desk) {
        ObservationSpec spec = observer.spec();
        for (int agent = 0; agent < domains.count(); agent++) {
            active[agent] = desk.isActive(agent);
            observer.write(view, desk, agent, rows, agent * spec.size());
        }
        System.arraycopy(policy.greedy(rows, domains.count(), spec), 0, actions, 0, actions.length);
        next = 0;
    }
}
