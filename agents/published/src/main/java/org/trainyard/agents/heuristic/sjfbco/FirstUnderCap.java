package org.trainyard.agents.heuristic.sjfbco;

import org.jspecify.annotations.Nullable;

/**
 * FF, first fit: the first GPUs, server by server, whose booked time stays under the cap.
 *
 * <p>A baseline in M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU
 * clusters with communication contention, MobiHoc 2022. O(GPUs).
 */
final class FirstUnderCap implements GpuChoice {
    @Override
    public int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds) {
        int[] chosen = new int[gang.gpus()];
        int found = 0;
        for (int gpu = 0; gpu < bookings.gpus() && found < chosen.length; gpu++) {
            if (bookings.seconds(gpu) + gang.seconds() <= capSeconds) {
                chosen[found++] = gpu;
            }
        }
        return found == chosen.length ? chosen : null;
    }
}
