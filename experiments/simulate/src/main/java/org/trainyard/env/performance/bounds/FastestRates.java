package org.trainyard.env.performance.bounds;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.trainyard.env.performance.IdealPlacement;
import org.trainyard.env.performance.ring.RateLaw;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Link;
import org.trainyard.env.topology.Routes;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.FreezableModel;
import org.trainyard.env.workload.JobSpec;

/**
 * Upper bounds on rates over all placements on a topology under {@link RingPerformance}, with or without other jobs.
 *
 * <p>An iteration takes the compute of the slowest GPU used and a ring over the narrowest link passed, at its longest
 * latency. Here the compute is that of the fastest GPU the job may use, or of a given type that is the slowest in use,
 * and bandwidth and latency are the best, each for itself, that so many workers could have: inside a server with as
 * many GPUs, or on a route between two servers. With equal servers and links this is the rate of the
 * {@link IdealPlacement}; otherwise it may exceed the rate of every placement. Slowdowns are at least 1, so other jobs
 * never raise a rate.
 */
final class FastestRates {
    private final RingPerformance truth;
    private final Set<ServerSpec> specs = new LinkedHashSet<>();
    private final Link nvlink;
    private final Link pcie;
    private double routeBytesPerSecond;
    private long routeLatencyNanos = Long.MAX_VALUE;

    FastestRates(Topology topology, RingPerformance truth) {
        this.truth = truth;
        nvlink = topology.fabric().nvlink();
        pcie = topology.fabric().pcie();
        for (int server = 0; server < topology.servers(); server++) {
            specs.add(topology.server(server));
        }
        List<Integer> ends = ends(topology);
        for (int from : ends) {
            for (int to : ends) {
                if (from != to) {
                    Routes.Route route = topology.routes().between(from, to);
                    routeBytesPerSecond = Math.max(routeBytesPerSecond, route.bytesPerSecond());
                    routeLatencyNanos = Math.min(routeLatencyNanos, route.latencyNanos());
                }
            }
        }
    }

    /** Two servers of every rack and kind of NIC, or one if there is only one: routes depend on nothing else. */
    private static List<Integer> ends(Topology topology) {
        List<Integer> ends = new ArrayList<>();
        for (int rack = 0; rack < topology.racks(); rack++) {
            Map<Link, Integer> seen = new HashMap<>();
            for (int i = 0; i < topology.serversIn(rack); i++) {
                int server = topology.firstServer(rack) + i;
                if (seen.merge(topology.nic(server), 1, Integer::sum) <= 2) {
                    ends.add(server);
                }
            }
        }
        return ends;
    }

    /** Upper bound on the rate with so many workers, iterations per second; 0 when no server has an allowed GPU. */
    double iterationsPerSecond(JobSpec job, int workers) {
        return mostOver(job, model -> unfrozen(model, workers));
    }

    private double unfrozen(JobSpec job, int workers) {
        double compute = Double.POSITIVE_INFINITY;
        for (ServerSpec spec : specs) {
            if (spec.gpus() > 0 && job.demand().allows(spec.gpuType().name())) {
                compute = Math.min(compute, job.model().computeSecondsOn(spec.gpuType()));
            }
        }
        return iterationsPerSecond(job, workers, compute);
    }

    /**
     * Upper bound on the rate of a job on a number of workers whose slowest GPU has this type, iterations per second; 0
     * when the job must not use the type.
     */
    double iterationsPerSecond(JobSpec job, int workers, GpuType slowest) {
        return job.demand().allows(slowest.name())
                ? mostOver(
                        job,
                        model -> iterationsPerSecond(
                                model, workers, model.model().computeSecondsOn(slowest)))
                : 0;
    }

    /** The highest rate of the job over its numbers of frozen layers, as if they cost no progress. */
    private static double mostOver(JobSpec job, ToDoubleFunction<JobSpec> rate) {
        FreezableModel freezing = job.model().of(FreezableModel.class);
        double most = rate.applyAsDouble(job);
        if (freezing != null) {
            int block = freezing.blockLayers();
            for (int layers = block; layers <= freezing.mostLayers(); layers += block) {
                most = Math.max(most, rate.applyAsDouble(job.training(freezing.left(job.model(), layers))));
            }
        }
        return most;
    }

    private double iterationsPerSecond(JobSpec job, int workers, double compute) {
        RateLaw law = RateLaw.of(job);
        if (law != null) {
            return law.mostIterationsPerSecond(job, workers, specs);
        }
        if (workers == 0) {
            return 1 / job.model().computeSeconds();
        }
        Demand demand = job.demand();
        double ring = workers < 2 ? 0 : Double.POSITIVE_INFINITY;
        for (ServerSpec spec : specs) {
            if (spec.gpus() > 0 && demand.allows(spec.gpuType().name())) {
                if (workers > 1 && workers <= spec.gpus()) {
                    Link link = inside(spec, workers);
                    ring = Math.min(ring, ring(job, workers, link.bytesPerSecond(), link.latencyNanos()));
                }
            }
        }
        if (workers > 1 && !demand.oneServer() && routeBytesPerSecond > 0) {
            ring = Math.min(ring, ring(job, workers, routeBytesPerSecond, routeLatencyNanos));
        }
        return 1 / (truth.computeSeconds(job, compute, workers) + ring);
    }

    /** The widest ring in a server, at the least latency. */
    private Link inside(ServerSpec spec, int workers) {
        ServerInterior interior = spec.interior();
        if (interior == null) {
            return spec.nvlink() ? nvlink : pcie;
        }
        return new Link(
                interior.ring(interior.widest(workers)) * 1e9, Math.min(nvlink.latencyNanos(), pcie.latencyNanos()));
    }

    private static double ring(JobSpec job, int workers, double bytesPerSecond, long latencyNanos) {
        return RingPerformance.allReduceSeconds(job, workers, bytesPerSecond, latencyNanos);
    }
}
