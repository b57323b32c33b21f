package org.trainyard.env.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;

/**
 * The state before tentative decisions, to which it can go back.
 *
 * <p>Time must stand, and only starts, preemptions, resizes, forwards and rejections may be made in between; their
 * jobs must be {@link #keep kept} first.
 */
final class Savepoint {
    private record JobImage(
            JobState state,
            @Nullable Placement placement,
            long queuedSinceNanos,
            long firstStartNanos,
            long startedNanos,
            int preemptions,
            int resizes,
            JobProgress rates) {}

    private final State state;
    private final int journalSize;
    private final int done;
    private final int[] waiting;
    private final int[] running;
    private final Cluster.Image cluster;
    private final TenantQuotas.Image heldByTenants;
    private final int[][] outdated;
    private final Map<Integer, JobImage> jobs = new LinkedHashMap<>();

    Savepoint(State state) {
        this.state = state;
        journalSize = state.journalSize();
        done = state.done;
        waiting = state.waiting.toArray();
        running = state.running.toArray();
        cluster = state.cluster.image();
        heldByTenants = state.quotas.held();
        outdated = state.rates.outdated();
    }

    /** Keeps the job's values before a decision changes them. */
    void keep(int job) {
        int slot = state.slots.of(job);
        if (job >= 0 && job < state.arrived && !jobs.containsKey(job)) {
            jobs.put(
                    job,
                    new JobImage(
                            state.state[slot],
                            state.placement[slot],
                            state.queuedSinceNanos[slot],
                            state.firstStartNanos[slot],
                            state.startedNanos[slot],
                            state.preemptions[slot],
                            state.resizes[slot],
                            state.rates.image(job)));
        }
    }

    /** Goes back to the state before. */
    void restore() {
        jobs.forEach((job, image) -> {
            int slot = state.slots.of(job);
            state.state[slot] = image.state;
            state.placement[slot] = image.placement;
            state.queuedSinceNanos[slot] = image.queuedSinceNanos;
            state.firstStartNanos[slot] = image.firstStartNanos;
            state.startedNanos[slot] = image.startedNanos;
            state.preemptions[slot] = image.preemptions;
            state.resizes[slot] = image.resizes;
            state.rates.restore(job, image.rates);
        });
        state.done = done;
        state.waiting.set(waiting);
        state.running.set(running);
        state.cluster.restore(cluster);
        state.quotas.setHeld(heldByTenants);
        state.rates.restoreOutdated(outdated);
        state.rewindJournal(journalSize);
    }
}
