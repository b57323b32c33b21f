package org.trainyard.env.gym.registry;

import java.util.List;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;
import org.trainyard.env.simulation.RenewedScheduler;

/** Schedulers as they drive a live cluster, where other things happen than they have decided: {@code driven:easy}. */
public final class DrivenSchedulers implements SchedulerPlugin {
    private static final String PREFIX = "driven:";

    @Override
    public String home() {
        return "env/gym";
    }

    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(new SchedulerPrefix(PREFIX, DrivenSchedulers::row));
    }

    private static Entry row(String name) {
        Entry driving = SchedulerPrefix.wrapped(name, name.substring(PREFIX.length()));
        return new Origin(driving.source(), Kind.OURS, null, SchedulerPrefix.flagsOf(driving))
                .row(PREFIX + driving.name(), driving.description() + "; it is a new one at each instant")
                .but("remembers nothing that the state does not show, such as reservations, rounds and turns")
                .by((on, belief, seed) -> new RenewedScheduler(() -> driving.create(on, belief, seed)));
    }
}
