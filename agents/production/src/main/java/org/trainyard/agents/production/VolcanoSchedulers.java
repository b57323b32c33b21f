package org.trainyard.agents.production;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.trainyard.agents.heuristic.volcano.VolcanoObjects;
import org.trainyard.agents.heuristic.volcano.VolcanoScheduler;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Volcano's rules: {@code volcano}, and {@code volcano:PATH} with its YAML. */
@OwnFamily(module = "agents/production", position = 32)
public final class VolcanoSchedulers implements SchedulerPlugin {
    private static final String NAME = "volcano";
    private static final String PREFIX = NAME + ":";

    @Override
    public List<Entry> schedulers() {
        return List.of(row(NAME, VolcanoObjects.DEFAULT));
    }

    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(new SchedulerPrefix(
                PREFIX, name -> row(name, VolcanoObjects.read(name.substring(PREFIX.length())))));
    }

    /** The rules of Volcano under a configuration, with what of it has no effect. */
    private static Entry row(String name, VolcanoObjects objects) {
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        if (objects.preempts()) {
            flags.add(Flag.PREEMPTIVE);
        }
        return new Origin("Volcano 1.12", Kind.OUR_READING, null, flags)
                .row(name, "Volcano's queues, by default one with all GPUs; volcano:PATH reads its YAML")
                .but("a gang starts and is preempted as a whole")
                .noting(objects.notes())
                .by(on -> new VolcanoScheduler(objects, on));
    }
}
