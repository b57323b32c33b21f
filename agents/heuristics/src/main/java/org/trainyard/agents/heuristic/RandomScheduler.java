package org.trainyard.agents.heuristic;

import java.util.List;
import org.trainyard.agents.heuristic.classic.RandomOrder;
import org.trainyard.agents.heuristic.placing.RandomFit;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** The floor: a random order on random servers. */
@OwnFamily(module = "agents/heuristics", position = 40)
public final class RandomScheduler implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        return List.of(new Origin("", Kind.OURS)
                .row("random", "random order on random servers: the floor")
                .by((on, belief, seed) -> new RandomOrder(new RandomFit(on, seed), seed)));
    }
}
