package org.trainyard.env.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Placements to be used again by one who makes very many and knows when nobody looks at one any more.
 *
 * <p>Only for such a one: a placement that is given back will change, so it must not have been handed to anybody who keeps it.
 */
public final class PlacementPool {
    private final Topology topology;
    /** Those given back, by their number of GPUs. */
    private final List<ArrayDeque<Placement>> idle = new ArrayList<>();

    private final KnownPlacements onOneServer;

    public PlacementPool(Topology topology) {
        this.topology = topology;
        onOneServer = new KnownPlacements(topology);
    }

    /** Those on one server, which never change and are never given back. */
    public KnownPlacements onOneServer() {
        return onOneServer;
    }

    /** A placement on the first {@code count} of the GPUs, in any order. Allocates only when none of that size is idle. */
    public Placement take(int[] gpus, int count) {
        Placement placement = count < idle.size() ? idle.get(count).poll() : null;
        if (placement == null) {
            placement = new Placement(count);
        }
        placement.fill(topology, gpus);
        return placement;
    }

    /** Takes back a placement that came from here and that nobody looks at any more. */
    public void give(Placement placement) {
        while (idle.size() <= placement.gpuCount()) {
            idle.add(new ArrayDeque<>());
        }
        idle.get(placement.gpuCount()).push(placement);
    }
}
