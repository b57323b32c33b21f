package org.trainyard.agents.production;

import java.util.List;
import org.trainyard.agents.heuristic.kueue.KueueScheduler;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Kueue's rules: {@code kueue}, and {@code kueue:PATH} with its YAML. */
@OwnFamily(module = "agents/production", position = 31)
public final class KueueSchedulers implements SchedulerPlugin {
    private static final String NAME = "kueue";
    private static final String PREFIX = NAME + ":";

    @Override
    public List<Entry> schedulers() {
        return List.of(new Origin("Kueue 0.17", Kind.OUR_READING, Flag.HEEDS_NODES)
                .row(NAME, "Kueue's admission, with one ClusterQueue that has all GPUs; kueue:PATH reads its YAML")
                .but("a gang is pods of equal size, and starts as a whole")
                .by(on -> new KueueScheduler(KueueObjects.ofGpus(on.gpus()))));
    }

    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(new SchedulerPrefix(
                PREFIX, name -> row(name, KueueFiles.read(name.substring(PREFIX.length())))));
    }

    /** The rules of Kueue under a configuration, with what of it has no effect. */
    private static Entry row(String name, KueueObjects objects) {
        return new Origin("Kueue 0.17", Kind.OUR_READING, Flag.PREEMPTIVE, Flag.HEEDS_NODES)
                .row(name, "Kueue's admission, as its configuration says")
                .but("a gang is pods of equal size, and starts as a whole")
                .noting(objects.notes())
                .by(on -> new KueueScheduler(objects));
    }
}
