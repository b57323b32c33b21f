package org.trainyard.agents.heuristic.sjfbco;

import org.jspecify.annotations.Nullable;

/**
 * FA-FFP, "fragment-aware first-fit packing": the least booked GPUs, wherever they are, the first of equals; the
 * same as the baseline LS, list scheduling.
 *
 * <p>Source: M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU
 * clusters with communication contention, MobiHoc 2022. Ours: the first of equals is the one with the lowest index,
 * which packs an empty cluster.
 */
final class LeastBooked implements GpuChoice {
    @Override
    public int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds) {
        return bookings.leastBooked(gang.gpus(), capSeconds - gang.seconds());
    }
}
