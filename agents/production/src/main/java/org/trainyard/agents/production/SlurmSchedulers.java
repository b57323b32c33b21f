package org.trainyard.agents.production;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Slurm's rules: {@code slurm}, and {@code slurm:FOLDER} with its configuration. */
@OwnFamily(module = "agents/production", position = 30)
public final class SlurmSchedulers implements SchedulerPlugin {
    private static final String NAME = "slurm";
    private static final String PREFIX = NAME + ":";

    @Override
    public List<Entry> schedulers() {
        return List.of(row(NAME, SlurmFiles.DEFAULT));
    }

    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(new SchedulerPrefix(
                PREFIX, name -> row(name, SlurmFiles.read(name.substring(PREFIX.length())))));
    }

    /** The rules of Slurm under a configuration; only one that is given may preempt. */
    private static Entry row(String name, SlurmFiles files) {
        Set<Flag> flags = EnumSet.of(Flag.NEEDS_PREDICTIONS, Flag.HEEDS_NODES, Flag.HEEDS_EXCLUSIVE);
        List<String> caveats = new ArrayList<>(List.of(
                "goes by time limits, where jobs have none by predicted run times",
                "a gang holds the same number of GPUs on each of its servers"));
        if (files.preempts()) {
            flags.addAll(List.of(Flag.PREEMPTIVE, Flag.RENEWS_LIMITS));
        }
        if (!name.equals(NAME)) {
            flags.add(Flag.HEEDS_FEATURES);
            caveats.addAll(files.notes());
        }
        return new Origin("Slurm 22.05", Kind.OUR_READING, null, flags)
                .row(name, "Slurm's main and backfill loops, with its configuration; by default in order of submission")
                .but(String.join("; ", caveats))
                .by(on -> new SlurmScheduler(files, on));
    }
}
