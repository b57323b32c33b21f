package org.trainyard.env.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Provides placements with few allocations, for the steps of a gym.
 *
 * <p>Placements on one server are immutable and come from a cache. It holds all of them when servers are few and
 * have at most eight GPUs; otherwise a new one replaces an older one. With reuse, a placement on several servers
 * changes after its job has left it: then no one may keep a placement longer than its job runs on it.
 */
public final class PlacementPool {
    private static final int MOST_BITS = 16;
    private static final int MASK_BITS = 8;

    private final Topology topology;
    private final boolean reuses;
    private final boolean isExact;
    private final int bits;
    private final @Nullable Placement[] onOneServer;
    /** Placements on several servers that are ready for reuse, by number of GPUs. */
    private final List<ArrayDeque<Placement>> idle = new ArrayList<>();
    /** By job, the placement on several servers that was lent to it. */
    private @Nullable Placement[] lent = new Placement[64];

    /** @param reuses whether placements on several servers are reused */
    public PlacementPool(Topology topology, boolean reuses) {
        this.topology = topology;
        this.reuses = reuses;
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

    /**
     * A placement on the first {@code count} of the GPUs, on several servers. Allocates only when none of that size
     * is idle.
     */
    public Placement take(int[] gpus, int count) {
        Placement placement = count < idle.size() ? idle.get(count).poll() : null;
        if (placement == null) {
            placement = new Placement(count);
        }
        placement.fill(topology, gpus);
        return placement;
    }

    /** Lends the job the placement on which it starts, to be reused when the job has left it. */
    public void lend(int job, Placement placement) {
        if (!reuses || placement.serverCount() == 1) {
            return;
        }
        if (job >= lent.length) {
            lent = Arrays.copyOf(lent, Math.max(2 * lent.length, job + 1));
        }
        lent[job] = placement;
    }

    /** Takes back the placement that was lent to a job, if any, because the job has left it. */
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

    /** Begins another run; placements lent in the run before are not reused, because its results may still be read. */
    public void forgetLent() {
        Arrays.fill(lent, null);
    }
}
