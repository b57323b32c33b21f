package org.trainyard.env.performance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * The best placement a job could have on an empty data centre: the fewest servers within one rack, else within one pod, else
 * anywhere.
 *
 * <p>Where GPU types differ, that is one candidate for each type's speed, using GPUs at least as fast; the job's own rates decide.
 */
public final class IdealPlacement {
    private final Topology topology;

    public IdealPlacement(Topology topology) {
        this.topology = topology;
    }

    /** The job's rate where it is fastest. O(servers log servers) for each GPU type. */
    public double bestRate(JobSpec job, PerformanceModel model) {
        return candidates(job.gpus()).stream()
                .mapToDouble(placement -> model.aloneRate(job, placement))
                .max()
                .orElseThrow(() -> new IllegalArgumentException("job (%s) is wider than %s: %d of %d GPUs"
                        .formatted(job.name(), topology.name(), job.gpus(), topology.gpus())));
    }

    /** One placement for each speed of GPU, fastest first, without repeats; empty when the cluster has too few GPUs. */
    public List<Placement> candidates(int gpus) {
        List<Placement> candidates = new ArrayList<>();
        double[] speeds = IntStream.range(0, topology.servers())
                .mapToDouble(this::speed)
                .sorted()
                .distinct()
                .toArray();
        for (int i = speeds.length - 1; i >= 0; i--) {
            Placement placement = fastPlacement(gpus, speeds[i]);
            if (placement != null && !candidates.contains(placement)) {
                candidates.add(placement);
            }
        }
        return candidates;
    }

    private double speed(int server) {
        return topology.server(server).gpuType().speed();
    }

    private @Nullable Placement fastPlacement(int gpus, double slowest) {
        List<Integer> best = fewest(gpus, slowest, topology.racks(), topology::rackOf);
        if (best == null) {
            best = fewest(gpus, slowest, topology.pods(), server -> topology.podOf(topology.rackOf(server)));
        }
        if (best == null) {
            best = fewest(gpus, slowest, 1, server -> 0);
        }
        return best == null ? null : filled(gpus, best);
    }

    /** The domain that needs the fewest servers, the first of equals; null when none has enough GPUs. */
    private @Nullable List<Integer> fewest(int gpus, double slowest, int domains, IntUnaryOperator domainOf) {
        List<Integer> best = null;
        for (int domain = 0; domain < domains; domain++) {
            int here = domain;
            List<Integer> widestFirst = IntStream.range(0, topology.servers())
                    .filter(server -> domainOf.applyAsInt(server) == here && speed(server) >= slowest)
                    .boxed()
                    .sorted(Comparator.comparingInt(server -> -topology.gpusOn(server)))
                    .toList();
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
