package org.trainyard.agents.heuristic.packing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.RackRanges;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * HiveD's cells: a job gets a cell of 1, 2, 4, ... neighbouring GPUs of a server, a server, or servers of one rack,
 * split off the smallest free cell that is large enough, as in a buddy allocator; a job without a free cell waits.
 *
 * <p>A cell is free when all its GPUs are, so buddies merge implicitly. Several servers are taken in the rack with the
 * fewest free GPUs on idle servers that has enough, else in the pod, else anywhere.
 *
 * <p>Source: H. Zhao, Z. Han, Z. Yang, Q. Zhang, F. Yang, L. Zhou, M. Yang, F. C. M. Lau, Y. Wang, Y. Xiong, B. Wang:
 * HiveD: sharing a GPU cluster for deep learning with guarantees, OSDI 2020. Our deviations: (1) virtual clusters have
 * quotas of GPUs instead of cells of their own; (2) no opportunistic jobs; (3) the unused rest of a cell is available
 * to other jobs at once; (4) {@link BestFit} places demands for other than whole GPUs of any type. No knobs.
 * O(servers), and O(GPUs) of those with room.
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
            boolean mayFit = size >= gpus && view.cluster().freeOn(server) >= cell;
            for (int at = 0; mayFit && at + cell <= size; at += cell) {
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

    /** The size of the largest free cell that contains the cell at this position. */
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
        List<Integer> chosen = new ArrayList<>();
        int[] fewest = {Integer.MAX_VALUE};
        RackRanges.narrowestFirst(
                view.topology(),
                (first, last, from, to) -> {
                    if (view.cluster().freeIn(first, last) < gpus) {
                        return;
                    }
                    List<Integer> idle = idleServers(view, from, to);
                    int free = idle.stream().mapToInt(view.topology()::gpusOn).sum();
                    if (free >= gpus && free < fewest[0]) {
                        fewest[0] = free;
                        chosen.clear();
                        chosen.addAll(idle);
                    }
                },
                () -> !chosen.isEmpty());
        return chosen.isEmpty() ? null : firstGpus(view.topology(), chosen, gpus);
    }

    /** Servers without any job, widest first. */
    private static List<Integer> idleServers(SimView view, int from, int to) {
        Topology topology = view.topology();
        return IntStream.range(from, to)
                .filter(server -> view.cluster().freeOn(server) == topology.gpusOn(server))
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
