package org.trainyard.env.gym;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.PlacementPool;

/** Gives the placements that an environment made back to its pool when their jobs have left them. */
final class RecycledPlacements {
    private final PlacementPool pool;
    private @Nullable Placement[] held = new Placement[64];
    private int journalRead;

    RecycledPlacements(PlacementPool pool) {
        this.pool = pool;
    }

    /** A new episode: what is out stays out. */
    void forget() {
        Arrays.fill(held, null);
        journalRead = 0;
    }

    void started(int job, Placement placement) {
        if (placement.serverCount() == 1) {
            return; // those are remembered and shared
        }
        if (job >= held.length) {
            held = Arrays.copyOf(held, Math.max(2 * held.length, job + 1));
        }
        held[job] = placement;
    }

    /** Takes back what jobs have left since the last call. */
    void sync(SimView view) {
        for (; journalRead < view.journalSize(); journalRead++) {
            int job = view.journalJob(journalRead);
            switch (view.journalKind(journalRead)) {
                case FINISH, PREEMPT, KILL, RESIZE -> takeBack(job);
                case ARRIVE, START, FORWARD, DOWN, UP -> {}
            }
        }
    }

    private void takeBack(int job) {
        Placement left = job < held.length ? held[job] : null;
        if (left != null) {
            held[job] = null;
            pool.give(left);
        }
    }
}
