package org.trainyard.agents.heuristic;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerPrefix;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Kind;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveScheduler;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * Schedulers as they drive a live cluster, where other things happen than they have decided: {@code controller:easy}.
 */
@OwnFamily(module = "agents/heuristics")
public final class ControllerSchedulers implements SchedulerPlugin {
    private static final String PREFIX = "controller:";

    @Override
    public List<SchedulerPrefix> prefixes() {
        return List.of(new SchedulerPrefix(PREFIX, ControllerSchedulers::row));
    }

    private static Entry row(String name) {
        Entry driving = SchedulerPrefix.wrapped(name, name.substring(PREFIX.length()));
        return new Origin(driving.source(), Kind.OURS, null, SchedulerPrefix.flagsOf(driving))
                .row(PREFIX + driving.name(), driving.description() + "; it is a new one at each instant")
                .but("remembers nothing that the state does not show, such as reservations, rounds and turns")
                .by((on, belief, seed) -> new RenewedScheduler(() -> driving.create(on, belief, seed)));
    }

    /**
     * A scheduler of which a new one takes over at each instant: what {@link LiveScheduler} comes to on a cluster on
     * which other things happen before its decisions are carried out. What the state does not show, such as
     * reservations, is forgotten.
     */
    private static final class RenewedScheduler implements Scheduler {
        private final Supplier<Scheduler> schedulers;
        private @Nullable Scheduler present;
        private long presentNanos = -1;

        /** @param schedulers gives a new one at every call */
        RenewedScheduler(Supplier<Scheduler> schedulers) {
            this.schedulers = schedulers;
        }

        @Override
        public Decision decide(SimView view) {
            Scheduler scheduler = present;
            if (scheduler == null || view.nowNanos() != presentNanos) {
                scheduler = schedulers.get();
                present = scheduler;
                presentNanos = view.nowNanos();
            }
            return scheduler.decide(view);
        }

        @Override
        public boolean isBetweenPlans() {
            return present == null || present.isBetweenPlans();
        }
    }
}
