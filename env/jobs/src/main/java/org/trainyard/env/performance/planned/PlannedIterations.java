package org.trainyard.env.performance.planned;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.mixed.MixedPlanner;
import org.trainyard.env.pipeline.planning.DeviceGraph;
import org.trainyard.env.pipeline.planning.PipelinePlan;
import org.trainyard.env.pipeline.planning.PipelineTimes;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/**
 * The iteration time of a planned job on a placement: that of its planner's best plan for the GPUs it got.
 *
 * <p>Plans are made once for each plan and shape of a placement: numbers of GPUs on kinds of servers, and which servers
 * share a rack or pod. A plan does not change while other jobs take bandwidth from it; its transfers and all-reduces
 * then take longer. Deviations: (1) a job also runs where no plan fits in memory, by the planner's fastest; (2) no
 * placement is faster than the {@link IdealPlacement}, although a planner may by chance find a better plan elsewhere.
 * Safe for use by several threads.
 */
public final class PlannedIterations {
    private static final int MOST_BANDWIDTHS = 64;

    /** By identity; weak, for times hold on to their topology. */
    private static final Map<Topology, WeakReference<PlannedIterations>> SHARED = new WeakHashMap<>();

    private record Key(Planned plan, PlacementShape shape) {}

    private record Width(Planned plan, int gpus) {}

    /** The iteration time of one plan by the bandwidth of its network. */
    private static final class Iteration {
        private final double alone;
        private final DoubleUnaryOperator secondsAt;
        private final Map<Double, Double> known = new ConcurrentHashMap<>();

        Iteration(double alone, DoubleUnaryOperator secondsAt) {
            this.alone = alone;
            this.secondsAt = secondsAt;
        }

        double seconds(double bytesPerSecond) {
            Double seconds = known.get(bytesPerSecond);
            if (seconds == null) {
                seconds = secondsAt.applyAsDouble(bytesPerSecond);
                if (known.size() >= MOST_BANDWIDTHS) {
                    known.clear();
                }
                known.put(bytesPerSecond, seconds);
            }
            return seconds;
        }
    }

    private final Topology topology;
    /** By server; found with the first plan, for most workloads have none. */
    private volatile int @Nullable [] kindOf;

    private final boolean isUniform;
    private final IdealPlacement ideal;
    private final Map<Key, Iteration> iterations = new ConcurrentHashMap<>();
    private final Map<Width, Double> shortest = new ConcurrentHashMap<>();

    /**
     * The iteration times on a topology. All performance models of one topology share its plans: those of the
     * simulator, and those by which rewards judge.
     */
    public static synchronized PlannedIterations on(Topology topology) {
        WeakReference<PlannedIterations> reference = SHARED.get(topology);
        PlannedIterations known = reference == null ? null : reference.get();
        if (known == null) {
            known = new PlannedIterations(topology);
            SHARED.put(topology, new WeakReference<>(known));
        }
        return known;
    }

    PlannedIterations(Topology topology) {
        this.topology = topology;
        isUniform = topology.routes().areUniform();
        ideal = new IdealPlacement(topology);
    }

    private int kindOf(int server) {
        int[] known = kindOf;
        if (known == null) {
            known = kinds(topology);
            kindOf = known;
        }
        return known[server];
    }

    private static int[] kinds(Topology topology) {
        int[] kindOf = new int[topology.servers()];
        Map<List<Object>, Integer> kinds = new HashMap<>();
        for (int server = 0; server < kindOf.length; server++) {
            ServerSpec spec = topology.server(server);
            List<Object> kind = Arrays.asList(spec.gpuType(), spec.nvlink(), topology.nic(server), spec.interior());
            kindOf[server] = kinds.computeIfAbsent(kind, unknown -> kinds.size());
        }
        return kindOf;
    }

    /** Time of an iteration without any other job, seconds. */
    public double seconds(Planned plan, Placement placement) {
        return Math.max(
                iteration(plan, placement).alone,
                shortest.computeIfAbsent(new Width(plan, placement.gpuCount()), width -> shortest(plan, width.gpus())));
    }

    private double shortest(Planned plan, int gpus) {
        return ideal.candidates(gpus).stream()
                .mapToDouble(best -> iteration(plan, best).alone)
                .min()
                .orElse(0);
    }

    /**
     * Time of an iteration when the links between servers give the job at most this bandwidth, seconds; never below the
     * time without any other job.
     */
    public double seconds(Planned plan, Placement placement, double bytesPerSecond) {
        return Math.max(seconds(plan, placement), iteration(plan, placement).seconds(bytesPerSecond));
    }

    private Iteration iteration(Planned plan, Placement placement) {
        int[] servers = sorted(placement);
        Key key = new Key(plan, shape(placement, servers));
        Iteration known = iterations.get(key);
        if (known == null) {
            known = planned(plan, canonical(placement, servers));
            iterations.put(key, known);
        }
        return known;
    }

    /** Indices of the placement's servers, within a rack those with most GPUs first. */
    private int[] sorted(Placement placement) {
        int[] servers = new int[placement.serverCount()];
        for (int i = 0; i < servers.length; i++) {
            int at = i;
            while (at > 0 && isBefore(placement, i, servers[at - 1])) {
                servers[at] = servers[at - 1];
                at--;
            }
            servers[at] = i;
        }
        return servers;
    }

    private boolean isBefore(Placement placement, int a, int b) {
        int serverA = placement.server(a);
        int serverB = placement.server(b);
        if (topology.rackOf(serverA) != topology.rackOf(serverB)) {
            return false;
        }
        int byKind = Integer.compare(kindOf(serverA), kindOf(serverB));
        return byKind < 0 || (byKind == 0 && placement.gpusOn(a) > placement.gpusOn(b));
    }

    private PlacementShape shape(Placement placement, int[] servers) {
        boolean plain = topology.inside().arePlain();
        int[] figures = new int[(plain ? 2 : 3) * servers.length];
        for (int i = 0; i < servers.length; i++) {
            int server = placement.server(servers[i]);
            figures[2 * i] = kindOf(server) * 128 + placement.gpusOn(servers[i]);
            int rack = topology.rackOf(server);
            if (!plain && topology.server(server).interior() != null) {
                figures[2 * servers.length + i] = (int) placement.maskOn(servers[i]);
            }
            if (!isUniform) {
                figures[2 * i + 1] = rack;
            } else if (i > 0) {
                int before = topology.rackOf(placement.server(servers[i - 1]));
                boolean isSamePod = topology.podOf(before) == topology.podOf(rack);
                figures[2 * i + 1] = before == rack ? 0 : isSamePod ? 1 : 2;
            }
        }
        return new PlacementShape(figures);
    }

    /** The GPUs of the placement, server by server. */
    private DeviceGraph canonical(Placement placement, int[] servers) {
        int[] gpus = new int[placement.gpuCount()];
        int count = 0;
        for (int at : servers) {
            for (long mask = placement.maskOn(at); mask != 0; mask &= mask - 1) {
                gpus[count++] = topology.firstGpu(placement.server(at)) + Long.numberOfTrailingZeros(mask);
            }
        }
        return DeviceGraph.of(topology, gpus);
    }

    private static Iteration planned(Planned plan, DeviceGraph devices) {
        if (plan instanceof Pipeline pipeline) {
            LayerProfile profile = pipeline.profile().coarsened(Planned.MOST_LAYERS);
            PipelinePlan made = pipeline.planner().planner().plan(profile, devices, pipeline.microBatches());
            return new Iteration(
                    made.iterationSeconds(),
                    bandwidth -> PipelineTimes.of(
                                    profile, devices.withNetwork(bandwidth), made.layout(), pipeline.microBatches())
                            .iterationSeconds());
        }
        LayerProfile profile = plan.profile().coarsened(Planned.MOST_LAYERS);
        MixedPlanner.Plan made = MixedPlanner.plan(profile, devices, plan.microBatches());
        return new Iteration(
                made.iterationSeconds(),
                bandwidth -> MixedPlanner.iterationSeconds(
                        made, profile, devices.withNetwork(bandwidth), plan.microBatches()));
    }

    /**
     * Key of a placement: the kind of each server, its GPUs, and which servers are in the same rack and pod; a plan
     * depends on nothing else. A class rather than a record because it holds an array.
     */
    private static final class PlacementShape {
        private final int[] figures;
        private final int hash;

        PlacementShape(int[] figures) {
            this.figures = figures;
            hash = Arrays.hashCode(figures);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof PlacementShape shape && Arrays.equals(figures, shape.figures);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
