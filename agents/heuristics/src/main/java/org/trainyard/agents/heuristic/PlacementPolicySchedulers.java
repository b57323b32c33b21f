package org.trainyard.agents.heuristic;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.AS_PUBLISHED;

import java.util.ArrayList;
import java.util.List;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.packing.FragmentationPolicies;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** The placement policies that FGD compares, each for the jobs that fit in order of submission. */
@OwnFamily(module = "agents/heuristics", position = 70)
public final class PlacementPolicySchedulers implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        List<Entry> rows = new ArrayList<>();
        for (PlacementPolicies.Entry policy : FragmentationPolicies.ENTRIES) {
            if (!policy.name().equals("random")) {
                String source = policy.name().equals("fgd") ? "FGD (ATC 2023)" : "FGD's baseline";
                rows.add(new Origin(source, AS_PUBLISHED)
                        .row(policy.name(), "backfill without reservations; " + policy.description())
                        .by((on, belief, seed) -> new Fifo(true, policy.create(on, null, seed))));
            }
        }
        return rows;
    }
}
