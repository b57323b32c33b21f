package org.trainyard.env.simulation;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that proposes decisions for a live cluster.
 *
 * <p>A {@link Scheduler} remembers the decisions it has made. It is kept as long as the cluster carries them out; when the cluster does something else, a
 * new scheduler takes over in the present state. So a cluster that follows its scheduler gets the decisions of a simulation, and a
 * cluster that does not still gets legal ones. To ask again at the same time without an event in between gives the same answer.
 */
public final class LiveScheduler {
    private final LiveCluster cluster;
    private final Supplier<Scheduler> schedulers;
    private @Nullable Scheduler scheduler;
    private List<Decision> last = List.of();
    private long lastNanos = -1;
    private long lastEvents;
    private long renewals;

    /** @param schedulers gives a new scheduler at every call; it is the only one that {@link LiveCluster#propose proposes} for the cluster */
    public LiveScheduler(LiveCluster cluster, Supplier<Scheduler> schedulers) {
        this.cluster = cluster;
        this.schedulers = schedulers;
    }

    /** Number of times a new scheduler took over. */
    public long renewals() {
        return renewals;
    }

    /** The decisions to make now, in their order; the last is a {@link Decision.Wait}. */
    public List<Decision> propose() {
        SimView view = cluster.view();
        if (lastNanos == view.nowNanos() && lastEvents == cluster.reports()) {
            return last;
        }
        Scheduler present = scheduler;
        if (present == null || !cluster.isAsProposed()) {
            renewals += present == null ? 0 : 1;
            present = schedulers.get();
        }
        // A scheduler that fails has an unknown state and is not asked again.
        scheduler = null;
        lastNanos = -1;
        last = cluster.propose(present);
        scheduler = present;
        lastNanos = view.nowNanos();
        lastEvents = cluster.reports();
        return last;
    }
}
