package org.trainyard.agents.heuristic;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.composed.ComposedScheduler;
import org.trainyard.agents.heuristic.composed.ComposedSearch;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.heuristic.composed.Knob;
import org.trainyard.agents.heuristic.composed.MovingScheduler;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;
import org.trainyard.env.gym.registry.SearchSpace;
import org.trainyard.env.simulation.Scheduler;

/**
 * The tuned family, a parametric scheduler by name: {@code tuned:spwf+lif+delay=2}; see {@link ComposedSettings#parse}.
 */
@OwnFamily(module = "agents/heuristics")
public final class TunedSchedulers implements SchedulerPlugin {
    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(new SchedulerPrefix(ComposedSettings.PREFIX, true, name -> tuned(ComposedSettings.parse(name))));
    }

    @Override
    public @Nullable Entry unlisted(String name) {
        return ComposedSettings.shipped().contains(name) ? tuned(ComposedSettings.parse(name)) : null;
    }

    @Override
    public List<Entry> members() {
        return ComposedSettings.shipped().stream()
                .map(name -> tuned(ComposedSettings.parse(name)))
                .toList();
    }

    @Override
    public SearchSpace searchSpace() {
        return new ComposedSearch();
    }

    /** A member of the tuned family. */
    public static Entry tuned(ComposedSettings settings) {
        Set<Flag> flags = EnumSet.of(Flag.NETWORK_AWARE);
        if (settings.order().isPreemptive()) {
            flags.add(Flag.PREEMPTIVE);
        }
        if (settings.needsPredictions()) {
            flags.add(Flag.NEEDS_PREDICTIONS);
        }
        if (settings.placement() == ComposedSettings.Placement.SETS) {
            flags.add(Flag.SHARES_GPUS);
            if (settings.value(Knob.MOVE) == Double.POSITIVE_INFINITY) {
                flags.add(Flag.KEEPS_SEGMENTS);
            }
        }
        return new Origin("", Kind.OURS, null, flags)
                .row(settings.name(), "member of the tuned family: " + settings.nameWithKnobs())
                .by((on, belief, seed) -> {
                    Scheduler plain = new ComposedScheduler(settings, on, belief);
                    return settings.value(Knob.MOVE) == Double.POSITIVE_INFINITY
                            ? plain
                            : new MovingScheduler(
                                    plain,
                                    on,
                                    belief,
                                    settings.value(Knob.MOVE),
                                    settings.gpus(),
                                    settings.value(Knob.CHARGE));
                });
    }
}
