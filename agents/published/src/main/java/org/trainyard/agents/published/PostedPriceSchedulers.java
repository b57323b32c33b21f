package org.trainyard.agents.published;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.trainyard.agents.heuristic.admission.PostedPrice;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;
import org.trainyard.env.simulation.Scheduler;

/** Schedulers behind admission by a posted price: {@code posted-price:sjf}. */
@OwnFamily(module = "agents/published")
public final class PostedPriceSchedulers implements SchedulerPlugin {
    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(new SchedulerPrefix(PostedPrice.PREFIX, PostedPriceSchedulers::row));
    }

    private static Entry row(String name) {
        Entry behind = SchedulerPrefix.wrapped(name, name.substring(PostedPrice.PREFIX.length()));
        Set<Flag> flags = EnumSet.of(Flag.NEEDS_PREDICTIONS);
        flags.addAll(SchedulerPrefix.flagsOf(behind));
        return new Origin("Zhang, Li, Wu (SIGMETRICS 2017)", Kind.OUR_READING, null, flags)
                .row(PostedPrice.PREFIX + behind.name(), "admission by a posted price; then " + behind.description())
                .but("admits and rejects, so its times are those of fewer jobs; without utilities every job is"
                        + " worth the same")
                .by((on, belief, seed) -> {
                    Scheduler scheduler = behind.create(on, belief, seed);
                    return behind.has(Flag.ELASTIC) ? PostedPrice.ofElastic(scheduler, on) : new PostedPrice(scheduler);
                });
    }
}
