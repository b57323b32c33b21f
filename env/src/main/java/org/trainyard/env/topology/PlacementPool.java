package org.trainyard.env.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reuses the placements of jobs that have left them, so that the steps of a gym allocate nothing.
 *
 * <p>A placement from the pool changes when it is reused: nobody may keep it longer than its job runs on it.
 */
public final class PlacementPool {
    private final Topology topology;
    private final KnownPlacements onOneServer;
    /** Placements ready for reuse, by number of GPUs. */
    private final List<ArrayDeque<Placement>> idle = new ArrayList<>();
    /** By job, the placement from this pool on which it runs. */
    private @Nullable Placement[] lent = new Placement[64];

    public PlacementPool(Topology topology) {
        this.topology = topology;
        onOneServer = new KnownPlacements(topology);
    }

    /** Placements on one server; they are immutable and never reused. */
    public KnownPlacements onOneServer() {
        return onOneServer;
    }

    /** A placement on the first {@code count} of the GPUs, in any order, several servers. Allocates only when none of that size is idle. */
    public Placement take(int[] gpus, int count) {
        Placement placement = count < idle.size() ? idle.get(count).poll() : null;
        if (placement == null) {
            placement = new Placement(count);
        }
        placement.fill(topology, gpus);
        return placement;
    }

    /** The job starts on a placement that was taken from here. */
    public void lend(int job, Placement placement) {
        if (placement.serverCount() == 1) {
            return;
        }
        if (job >= lent.length) {
            lent = Arrays.copyOf(lent, Math.max(2 * lent.length, job + 1));
        }
        lent[job] = placement;
    }

    /** The job has left its placement, whether that came from here or not. */
    public void release(int job) {
        Placement placement = job < lent.length ? lent[job] : null;
        if (placement == null) {
            return;
        }
        lent[job] = null;
        while (idle.size() <= placement.gpuCount()) {
            idle.add(new ArrayDeque<>());
        }
        idle.get(placement.gpuCount()).push(placement);
    }

    /** Begins another run; placements of the run before are not reused, for its results may be read still. */
    public void forgetLent() {
        Arrays.fill(lent, null);
    }
}
