package org.trainyard.agents.heuristic.sjfbco;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * RAND: GPUs drawn at random among those whose booked time stays under the cap.
 *
 * <p>A baseline in M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU
 * clusters with communication contention, MobiHoc 2022, "random servers and GPUs". Ours: every such GPU is as
 * likely as any other, so larger servers are drawn more often. O(GPUs).
 */
final class RandomGpuChoice implements GpuChoice {
    private final RandomGenerator random;

    RandomGpuChoice(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds) {
        int[] candidates = new int[bookings.gpus()];
        int count = 0;
        for (int gpu = 0; gpu < candidates.length; gpu++) {
            if (bookings.seconds(gpu) + gang.seconds() <= capSeconds) {
                candidates[count++] = gpu;
            }
        }
        if (count < gang.gpus()) {
            return null;
        }
        for (int i = 0; i < gang.gpus(); i++) {
            int at = i + random.nextInt(count - i);
            int drawn = candidates[at];
            candidates[at] = candidates[i];
            candidates[i] = drawn;
        }
        return Arrays.copyOf(candidates, gang.gpus());
    }
}
