package org.trainyard.agents.linkestimates;

import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/**
 * Schedulers that are told, or believe, what a name says of the bandwidths inside servers:
 * {@code bandwidths=rings:patient}.
 */
@OwnFamily(module = "agents/heuristics")
public final class BandwidthSchedulers implements SchedulerPlugin {
    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(new SchedulerPrefix(Bandwidths.PREFIX, BandwidthSchedulers::row));
    }

    private static Entry row(String name) {
        int colon = name.indexOf(':');
        String key = name.substring(Bandwidths.PREFIX.length(), colon < 0 ? name.length() : colon);
        Bandwidths bandwidths = Bandwidths.named("scheduler", key);
        if (colon < 0) {
            throw InputException.at("scheduler", name, name + ":NAME with the name of a scheduler");
        }
        Entry placing = SchedulerPrefix.wrapped(name, name.substring(colon + 1));
        return new Origin(placing.source(), Kind.OURS, null, SchedulerPrefix.flagsOf(placing))
                .row(name, placing.description() + "; bandwidths inside servers: " + bandwidths.description())
                .by((on, belief, seed) -> placing.create(bandwidths.seen(on), belief, seed));
    }
}
