package org.trainyard.env.simulation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state before tentative decisions, to which it can go back.
 *
 * <p>Time must stand, and only starts, preemptions, resizes, forwards and rejections may be made in between; their jobs
 * must be {@link #keep kept} first.
 */
final class Savepoint {
    private record JobImage(JobRow row, JobProgress rates) {}

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
        if (job >= 0 && job < state.arrived && !jobs.containsKey(job)) {
            jobs.put(job, new JobImage(state.row(job).copy(), state.rates.image(job)));
        }
    }

    /** Goes back to the state before. */
    void restore() {
        jobs.forEach((job, image) -> {
            state.restore(job, image.row);
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
