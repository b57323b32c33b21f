package org.trainyard.agents.heuristic.sjfbco;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * LBSGF, "least busy server, GPU first": servers in order of booked time per GPU, just enough of them for
 * {@code lambda} times the gang; of these the least booked GPUs.
 *
 * <p>Source: M. Yu, B. Ji, H. Rajan, J. Liu: On scheduling ring-all-reduce learning jobs in multi-tenant GPU clusters
 * with communication contention, MobiHoc 2022. Ours: of equals, the GPU on the server that comes first, which keeps the
 * ring short. O(servers log servers).
 */
final class LeastBusyServer implements GpuChoice {
    private final double lambda;

    /** @param lambda ratio of the GPUs on the servers considered to the gang's GPUs, at least 1 */
    LeastBusyServer(double lambda) {
        Invalid.when(!(lambda >= 1) || Double.isInfinite(lambda), "lambda (%s) must be finite and at least 1", lambda);
        this.lambda = lambda;
    }

    @Override
    public int @Nullable [] choose(Bookings bookings, Gang gang, double capSeconds) {
        int[] servers = leastBusyFirst(bookings);
        int[] candidates = new int[bookings.gpus()];
        int count = 0;
        int seen = 0;
        for (int i = 0; i < servers.length && seen < lambda * gang.gpus(); i++) {
            int server = servers[i];
            seen += bookings.usableOn(server);
            int first = bookings.topology().firstGpu(server);
            for (int gpu = first; gpu < first + bookings.topology().gpusOn(server); gpu++) {
                if (bookings.seconds(gpu) + gang.seconds() <= capSeconds) {
                    candidates[count++] = gpu;
                }
            }
        }
        if (count < gang.gpus()) {
            return null;
        }
        int[] found = Arrays.copyOf(candidates, count);
        // Stable: equals stay in the order of the servers.
        IntArrays.mergeSort(found, (a, b) -> Double.compare(bookings.seconds(a), bookings.seconds(b)));
        return Arrays.copyOf(found, gang.gpus());
    }

    private static int[] leastBusyFirst(Bookings bookings) {
        int[] servers = new int[bookings.topology().servers()];
        int count = 0;
        for (int server = 0; server < servers.length; server++) {
            if (bookings.usableOn(server) > 0) {
                servers[count++] = server;
            }
        }
        int[] usable = Arrays.copyOf(servers, count);
        IntArrays.mergeSort(usable, (a, b) -> Double.compare(bookings.meanSecondsOn(a), bookings.meanSecondsOn(b)));
        return usable;
    }
}
