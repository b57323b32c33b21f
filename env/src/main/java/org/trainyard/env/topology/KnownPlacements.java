package org.trainyard.env.topology;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cache of immutable placements on one server. It holds all of them when servers are few and have at most eight GPUs; otherwise a new
 * placement replaces an older one in the same slot.
 */
public final class KnownPlacements {
    private static final int MOST_BITS = 16;
    private static final int MASK_BITS = 8;

    private final Topology topology;
    private final boolean isExact;
    private final int bits;
    private final @Nullable Placement[] known;

    public KnownPlacements(Topology topology) {
        this.topology = topology;
        int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(topology.servers() - 1) + MASK_BITS;
        isExact = wanted <= MOST_BITS && topology.widestServer() <= MASK_BITS;
        bits = Math.min(wanted, MOST_BITS);
        known = new Placement[1 << bits];
    }

    /** The placement on the first {@code count} of the GPUs, all on one server. */
    public Placement on(int[] gpus, int count) {
        int server = topology.serverOf(gpus[0]);
        long mask = 0;
        for (int i = 0; i < count; i++) {
            mask |= 1L << (gpus[i] - topology.firstGpu(server));
        }
        int at = isExact
                ? server << MASK_BITS | (int) mask
                : (int) (((31 * mask + server) * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - bits));
        Placement placement = known[at];
        if (placement == null || placement.server(0) != server || placement.maskOn(0) != mask) {
            placement = Placement.of(topology, Arrays.copyOf(gpus, count));
            known[at] = placement;
        }
        return placement;
    }
}
