package org.trainyard.env.gym.decentralised;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/** Agents that decide apart, as the scheduler of one run. */
public final class DecentralisedScheduler implements Scheduler {
    private final Function<SimView, DecentralisedAgents> agents;
    private final DecisionQueue decided = new DecisionQueue();
    private @Nullable DecentralisedAgents present;

    /** @param agents makes the agents of the run */
    public DecentralisedScheduler(Function<SimView, DecentralisedAgents> agents) {
        this.agents = agents;
    }

    @Override
    public Decision decide(SimView view) {
        if (present == null) {
            present = agents.apply(view);
        }
        return present.next(decided);
    }

    @Override
    public boolean isBetweenPlans() {
        return decided.isEmpty() && (present == null || !present.isMakingRoom());
    }
}
