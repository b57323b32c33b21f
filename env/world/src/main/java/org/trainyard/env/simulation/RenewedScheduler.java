package org.trainyard.env.simulation;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler of which a new one takes over at each instant: what {@link LiveScheduler} comes to on a cluster on which other
 * things happen before its decisions are carried out. What the state does not show, such as reservations, is forgotten.
 */
public final class RenewedScheduler implements Scheduler {
    private final Supplier<Scheduler> schedulers;
    private @Nullable Scheduler present;
    private long presentNanos = -1;

    /** @param schedulers gives a new one at every call */
    public RenewedScheduler(Supplier<Scheduler> schedulers) {
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
