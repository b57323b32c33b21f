package org.trainyard.env.simulation;

import java.util.Arrays;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The allocated shares of GPUs that may be shared.
 *
 * <p>A multi-instance GPU has eight memory slices; an instance of 1, 2, 3, 4 or 7 sevenths takes 1, 2, 4, 4 or 8 of
 * them at the first free place at which NVIDIA allows it to begin (multi-instance GPU user guide, A100).
 */
final class GpuShares {
    private static final int MIG_SLOTS = 8;
    private static final int MIG_COMPUTE = 7;
    private static final int NOBODY = -1;
    private static final int[] MIG_WIDTH = {0, 1, 2, 4, 4, 8, 8, 8};
    private static final int[][] MIG_BEGINNINGS = {
        {}, {0, 1, 2, 3, 4, 5, 6}, {0, 2, 4}, {0, 4}, {0}, {0}, {0}, {0},
    };

    private final Topology topology;
    private final int[] freeMilli;
    private final int[] slotHolder;

    GpuShares(Topology topology) {
        this.topology = topology;
        freeMilli = new int[topology.gpus()];
        Arrays.fill(freeMilli, Demand.WHOLE);
        slotHolder = new int[topology.gpus() * MIG_SLOTS];
        Arrays.fill(slotHolder, NOBODY);
    }

    /** Whether any GPU of the topology may be shared. */
    static boolean anyOn(Topology topology) {
        for (int server = 0; server < topology.servers(); server++) {
            if (topology.server(server).sharing() != GpuSharing.WHOLE && topology.gpusOn(server) > 0) {
                return true;
            }
        }
        return false;
    }

    private GpuSharing sharing(int gpu) {
        return topology.server(topology.serverOf(gpu)).sharing();
    }

    /** The share granted to a worker that needs {@code milli} thousandths of the GPU, thousandths. */
    int granted(int gpu, int milli) {
        return switch (sharing(gpu)) {
            case WHOLE -> Demand.WHOLE;
            case FRACTIONS -> milli;
            case MIG -> sevenths(milli) * Demand.WHOLE / MIG_COMPUTE;
        };
    }

    /** The smallest sufficient instance of a multi-instance GPU, in sevenths; there are none of 5 and 6. */
    private static int sevenths(int milli) {
        int least = (milli * MIG_COMPUTE + Demand.WHOLE - 1) / Demand.WHOLE;
        return least > 4 ? MIG_COMPUTE : least;
    }

    int freeMilli(int gpu) {
        return freeMilli[gpu];
    }

    boolean fits(int gpu, int milli) {
        if (sharing(gpu) == GpuSharing.MIG) {
            return migBeginning(gpu, sevenths(milli)) >= 0;
        }
        return granted(gpu, milli) <= freeMilli[gpu];
    }

    private int migBeginning(int gpu, int sevenths) {
        for (int beginning : MIG_BEGINNINGS[sevenths]) {
            boolean isFree = true;
            for (int slot = beginning; isFree && slot < beginning + MIG_WIDTH[sevenths]; slot++) {
                isFree = slotHolder[gpu * MIG_SLOTS + slot] == NOBODY;
            }
            if (isFree) {
                return beginning;
            }
        }
        return -1;
    }

    /** Takes a share that {@link #fits}. */
    void take(int job, int gpu, int milli) {
        freeMilli[gpu] -= granted(gpu, milli);
        if (sharing(gpu) == GpuSharing.MIG) {
            int from = gpu * MIG_SLOTS + migBeginning(gpu, sevenths(milli));
            Arrays.fill(slotHolder, from, from + MIG_WIDTH[sevenths(milli)], job);
        }
    }

    void give(int job, int gpu, int milli) {
        freeMilli[gpu] += granted(gpu, milli);
        if (sharing(gpu) == GpuSharing.MIG) {
            for (int slot = gpu * MIG_SLOTS; slot < (gpu + 1) * MIG_SLOTS; slot++) {
                if (slotHolder[slot] == job) {
                    slotHolder[slot] = NOBODY;
                }
            }
        }
    }

    /** The free shares of all GPUs and the holders of all slices, of which nothing is shared with this object. */
    int[][] image() {
        return new int[][] {freeMilli.clone(), slotHolder.clone()};
    }

    /** Goes back to an {@link #image}. */
    void restore(int[][] image) {
        System.arraycopy(image[0], 0, freeMilli, 0, freeMilli.length);
        System.arraycopy(image[1], 0, slotHolder, 0, slotHolder.length);
    }
}
