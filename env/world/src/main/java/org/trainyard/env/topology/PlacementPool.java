package org.trainyard.env.topology;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Provides placements with few allocations: those on one server come from a cache. It holds all of them when servers
 * are few and have at most eight GPUs; otherwise a new one replaces an older one.
 */
public final class PlacementPool {
    private static final int MOST_BITS = 16;
    private static final int MASK_BITS = 8;

    private final Topology topology;
    private final boolean isExact;
    private final int bits;
    private final @Nullable Placement[] onOneServer;

    public PlacementPool(Topology topology) {
        this.topology = topology;
        int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(topology.servers() - 1) + MASK_BITS;
        isExact = wanted <= MOST_BITS && topology.widestServer() <= MASK_BITS;
        bits = Math.min(wanted, MOST_BITS);
        onOneServer = new Placement[1 << bits];
    }

    /** The placement on the first {@code count} of the GPUs, all on one server. */
    public Placement onOneServer(int[] gpus, int count) {
        int server = topology.serverOf(gpus[0]);
        long mask = 0;
        for (int i = 0; i < count; i++) {
            mask |= 1L << (gpus[i] - topology.firstGpu(server));
        }
        int slot = isExact
                ? server << MASK_BITS | (int) mask
                : (int) (((31 * mask + server) * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - bits));
        Placement placement = onOneServer[slot];
        if (placement == null || placement.server(0) != server || placement.maskOn(0) != mask) {
            placement = Placement.of(topology, Arrays.copyOf(gpus, count));
            onOneServer[slot] = placement;
        }
        return placement;
    }

    /** A placement on the first {@code count} of the GPUs, on several servers. */
    public Placement onServers(int[] gpus, int count) {
        Placement placement = new Placement(count);
        placement.fill(topology, gpus);
        return placement;
    }
}
