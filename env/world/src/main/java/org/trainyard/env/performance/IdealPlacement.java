package org.trainyard.env.performance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * The best placement of a job on an empty data centre: the fewest servers within one rack, else within one pod, else
 * anywhere.
 *
 * <p>With several GPU types there is one candidate for each type's speed, on GPUs at least as fast; where servers have
 * interiors of their own, also the GPUs with the widest ring of each kind of server. The job's rates decide among them.
 *
 * <p>Candidates are found once for each number of GPUs and set of GPU types, in O(servers log servers) for each GPU
 * type, and kept. Safe for several threads.
 */
public final class IdealPlacement {
    private final Topology topology;
    private final Map<Ask, List<Placement>> known = new ConcurrentHashMap<>();

    /** Key of the candidate placements of a demand. */
    private record Ask(int gpus, List<String> gpuTypes) {}

    public IdealPlacement(Topology topology) {
        this.topology = topology;
    }

    /** The job's highest rate on a candidate. */
    public double bestRate(JobSpec job, PerformanceModel model) {
        return candidates(job.demand()).stream()
                .mapToDouble(placement -> model.aloneRate(job, placement))
                .max()
                .orElseThrow(() -> new IllegalArgumentException("job (%s) is wider than %s: %d of %d GPUs"
                        .formatted(job.name(), topology.name(), job.gpus(), topology.gpus())));
    }

    /** Whether the demand can be met on the empty cluster. */
    public boolean fits(Demand demand) {
        if (demand.isPlain()) {
            return demand.gpus() <= topology.gpus();
        }
        int needed = Math.max(1, demand.minGpus());
        int segment = Math.max(1, demand.segment());
        int room = 0;
        for (int rack = 0; rack < topology.racks() && room < needed; rack++) {
            int inRack = 0;
            for (int i = 0; i < topology.serversIn(rack); i++) {
                int here = demand.workersOn(topology.server(topology.firstServer(rack) + i));
                inRack = demand.oneServer() ? Math.max(inRack, here) : inRack + here;
            }
            room = demand.oneServer() ? Math.max(room, inRack) : room + inRack / segment * segment;
        }
        return room >= needed;
    }

    /** Candidates on GPU types that the demand allows; for a demand without GPUs, one server. */
    private List<Placement> candidates(Demand demand) {
        if (demand.gpus() == 0) {
            return List.of(Placement.onServer(topology, 0));
        }
        return known.computeIfAbsent(
                new Ask(demand.gpus(), demand.gpuTypes()),
                ask -> candidates(
                        demand.gpus(),
                        server ->
                                demand.allows(topology.server(server).gpuType().name())));
    }

    /** One placement for each speed of GPU, fastest first, without repeats; empty when the cluster has too few GPUs. */
    public List<Placement> candidates(int gpus) {
        return candidates(Demand.ofGpus(gpus));
    }

    private List<Placement> candidates(int gpus, IntPredicate allowed) {
        List<Placement> candidates = new ArrayList<>();
        double[] speeds = IntStream.range(0, topology.servers())
                .mapToDouble(this::speed)
                .sorted()
                .distinct()
                .toArray();
        for (int i = speeds.length - 1; i >= 0; i--) {
            double slowest = speeds[i];
            Placement placement = fastPlacement(gpus, server -> allowed.test(server) && speed(server) >= slowest);
            if (placement != null && !candidates.contains(placement)) {
                candidates.add(placement);
            }
        }
        if (!topology.inside().arePlain() && gpus > 1) {
            addWidestRings(gpus, allowed, candidates);
        }
        return List.copyOf(candidates);
    }

    /** Adds the set of GPUs with the widest ring on each kind of server. */
    private void addWidestRings(int gpus, IntPredicate allowed, List<Placement> candidates) {
        Set<ServerSpec> seen = new HashSet<>();
        for (int server = 0; server < topology.servers(); server++) {
            if (allowed.test(server) && topology.gpusOn(server) >= gpus && seen.add(topology.server(server))) {
                int[] chosen = new int[gpus];
                long left = topology.inside().of(server).widest(gpus);
                for (int i = 0; i < gpus; i++, left &= left - 1) {
                    chosen[i] = topology.firstGpu(server) + Long.numberOfTrailingZeros(left);
                }
                Placement placement = Placement.of(topology, chosen);
                if (!candidates.contains(placement)) {
                    candidates.add(placement);
                }
            }
        }
    }

    private double speed(int server) {
        return topology.server(server).gpuType().speed();
    }

    private @Nullable Placement fastPlacement(int gpus, IntPredicate allowed) {
        List<Integer> best = fewest(gpus, allowed, topology.racks(), topology::rackOf);
        if (best == null) {
            best = fewest(gpus, allowed, topology.pods(), server -> topology.podOf(topology.rackOf(server)));
        }
        if (best == null) {
            best = fewest(gpus, allowed, 1, server -> 0);
        }
        return best == null ? null : filled(gpus, best);
    }

    /**
     * The servers in the part of the data centre that needs fewest, the first of equals; null when no part has enough
     * GPUs.
     */
    private @Nullable List<Integer> fewest(int gpus, IntPredicate allowed, int parts, IntUnaryOperator partOf) {
        List<List<Integer>> serversOf =
                Stream.<List<Integer>>generate(ArrayList::new).limit(parts).toList();
        IntStream.range(0, topology.servers())
                .filter(allowed)
                .forEach(server -> serversOf.get(partOf.applyAsInt(server)).add(server));
        List<Integer> best = null;
        for (List<Integer> widestFirst : serversOf) {
            widestFirst.sort(Comparator.comparingInt(server -> -topology.gpusOn(server)));
            int left = gpus;
            int used = 0;
            while (left > 0 && used < widestFirst.size()) {
                left -= topology.gpusOn(widestFirst.get(used++));
            }
            if (left <= 0 && (best == null || used < best.size())) {
                best = widestFirst.subList(0, used);
            }
        }
        return best;
    }

    private Placement filled(int gpus, List<Integer> servers) {
        int[] chosen = new int[gpus];
        int count = 0;
        for (int server : servers) {
            for (int i = 0; i < topology.gpusOn(server) && count < gpus; i++) {
                chosen[count++] = topology.firstGpu(server) + i;
            }
        }
        return Placement.of(topology, chosen);
    }
}
