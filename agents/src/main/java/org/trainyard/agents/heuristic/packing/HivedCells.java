package org.trainyard.agents.heuristic.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.BestFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * Gives a job a cell of the machine: 1, 2, 4, ... neighbouring GPUs of a server, a server, or servers of one rack, taken from the smallest
 * free cell that is large enough, as a buddy allocator does; where no such cell is free the job waits.
 *
 * <p>A cell is free when all its GPUs are, so buddies merge by themselves. Several servers are taken in the rack with fewest free ones that
 * has enough, else in the pod, else anywhere.
 *
 * <p>Source: H. Zhao, Z. Han, Z. Yang, Q. Zhang, F. Yang, L. Zhou, M. Yang, F. C. M. Lau, Y. Wang, Y. Xiong, B. Wang: HiveD: sharing a GPU
 * cluster for deep learning with guarantees, OSDI 2020. Our deviations: (1) virtual clusters have quotas of GPUs instead of cells of their
 * own; (2) no opportunistic jobs; (3) a job that does not fill its cell leaves the rest to others at once; (4) jobs that want more than whole
 * GPUs of any type are placed by {@link BestFit}. No knobs. O(GPUs).
 */
public final class HivedCells implements Placer {
    private final Placer others = new BestFit();

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        if (!job.demand().isPlain()) {
            return others.place(view, job);
        }
        if (view.cluster().free() < job.gpus()) {
            return null;
        }
        return job.gpus() <= view.topology().widestServer() ? inServer(view, job.gpus()) : onServers(view, job.gpus());
    }

    private static @Nullable Placement inServer(SimView view, int gpus) {
        int bestGpu = -1;
        int smallest = Integer.MAX_VALUE;
        Topology topology = view.topology();
        for (int server = 0; server < topology.servers(); server++) {
            int size = topology.gpusOn(server);
            int cell = Math.min(size, roundedUp(gpus));
            for (int at = 0; size >= gpus && at + cell <= size; at += cell) {
                int gpu = topology.firstGpu(server) + at;
                if (isFree(view.cluster(), gpu, cell)) {
                    int split = largestFree(view, server, at, cell);
                    if (split < smallest) {
                        smallest = split;
                        bestGpu = gpu;
                    }
                }
            }
        }
        int first = bestGpu;
        return first < 0
                ? null
                : Placement.of(topology, IntStream.range(first, first + gpus).toArray());
    }

    /** The size of the largest free cell that holds the one at the place. */
    private static int largestFree(SimView view, int server, int at, int cell) {
        int size = view.topology().gpusOn(server);
        int first = view.topology().firstGpu(server);
        int largest = cell;
        for (int wider = 2 * cell; ; wider *= 2) {
            int from = wider >= size ? 0 : at / wider * wider;
            int width = Math.min(wider, size);
            if (from + width > size || !isFree(view.cluster(), first + from, width)) {
                return largest;
            }
            largest = width;
            if (wider >= size) {
                return largest;
            }
        }
    }

    private static boolean isFree(Cluster cluster, int firstGpu, int count) {
        for (int gpu = firstGpu; gpu < firstGpu + count; gpu++) {
            if (cluster.owner(gpu) != Cluster.FREE) {
                return false;
            }
        }
        return true;
    }

    private static int roundedUp(int gpus) {
        return gpus == 1 ? 1 : Integer.highestOneBit(gpus - 1) * 2;
    }

    private static @Nullable Placement onServers(SimView view, int gpus) {
        Topology topology = view.topology();
        int[] parts = new int[topology.servers()];
        for (int server = 0; server < parts.length; server++) {
            parts[server] = topology.rackOf(server);
        }
        List<Integer> found = fewestFree(view, gpus, parts);
        if (found.isEmpty()) {
            Arrays.setAll(parts, server -> topology.podOf(topology.rackOf(server)));
            found = fewestFree(view, gpus, parts);
        }
        if (found.isEmpty()) {
            Arrays.fill(parts, 0);
            found = fewestFree(view, gpus, parts);
        }
        return found.isEmpty() ? null : firstGpus(topology, found, gpus);
    }

    /** Free servers, widest first, of the part with fewest GPUs on them that has enough; empty when none has. */
    private static List<Integer> fewestFree(SimView view, int gpus, int[] parts) {
        Topology topology = view.topology();
        int[] free = new int[Arrays.stream(parts).max().orElse(0) + 1];
        boolean[] isFree = new boolean[parts.length];
        for (int server = 0; server < parts.length; server++) {
            isFree[server] = isFree(view.cluster(), topology.firstGpu(server), topology.gpusOn(server));
            free[parts[server]] += isFree[server] ? topology.gpusOn(server) : 0;
        }
        int best = -1;
        for (int part = 0; part < free.length; part++) {
            if (free[part] >= gpus && (best < 0 || free[part] < free[best])) {
                best = part;
            }
        }
        int chosen = best;
        return IntStream.range(0, parts.length)
                .filter(server -> chosen >= 0 && parts[server] == chosen && isFree[server])
                .boxed()
                .sorted(Comparator.comparingInt(server -> -topology.gpusOn(server)))
                .toList();
    }

    private static Placement firstGpus(Topology topology, List<Integer> servers, int gpus) {
        return Placement.of(
                topology,
                servers.stream()
                        .flatMapToInt(server -> IntStream.range(
                                topology.firstGpu(server), topology.firstGpu(server) + topology.gpusOn(server)))
                        .limit(gpus)
                        .toArray());
    }
}
