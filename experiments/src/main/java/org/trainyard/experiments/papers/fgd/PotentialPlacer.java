package org.trainyard.experiments.papers.fgd;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.env.scheduling.placement.GangBuilder;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.TraceJob;

/**
 * Places arriving pods that never end, each on one server: where {@link ServerPotential} falls most or rises least,
 * the first of equals. It keeps the free resources itself and scores a server anew only when it has changed since the
 * last pod of that kind, so a pod costs a comparison for each server.
 */
public final class PotentialPlacer implements Placer {
    private static final int MOST_GPUS = 8;

    private final PodKinds kinds;
    private final ServerPotential potential;
    private final Topology topology;
    private final GangBuilder gang = new GangBuilder();

    private final long[] cpu;
    private final long[] memory;
    /** Thousandths left of the GPUs of each server, ascending. */
    private final int[] free;

    private final int[] gpus;
    private final int[] classes;
    private final double[] values;
    private final int[] changed;
    private int changes;

    private final double[][] scores;
    private final int[][] parts;
    private final int[] scoredAt;
    private final int[] after = new int[MOST_GPUS];
    private int part;

    PotentialPlacer(Topology topology, PodKinds kinds, double[] weights) {
        if (topology.widestServer() > MOST_GPUS) {
            throw new IllegalArgumentException("a server has (%d) GPUs, above 8".formatted(topology.widestServer()));
        }
        this.topology = topology;
        this.kinds = kinds;
        potential = new ServerPotential(kinds, weights);
        int servers = topology.servers();
        cpu = new long[servers];
        memory = new long[servers];
        free = new int[servers * MOST_GPUS];
        Arrays.fill(free, Demand.WHOLE);
        gpus = new int[servers];
        classes = new int[servers];
        values = new double[servers];
        changed = new int[servers];
        scores = new double[kinds.count()][servers];
        parts = new int[kinds.count()][servers];
        scoredAt = new int[kinds.count()];
        Arrays.fill(scoredAt, -1);
        for (int server = 0; server < servers; server++) {
            cpu[server] = topology.server(server).cpuMilli();
            memory[server] = topology.server(server).memoryMib();
            gpus[server] = topology.gpusOn(server);
            classes[server] = ServerPotential.kind(cpu[server], gpus[server]);
            values[server] = potential(server, false, cpu[server], free, server * MOST_GPUS);
        }
    }

    /**
     * A policy of these weights.
     *
     * @param known pods by which it knows the mix of demands
     * @param arriving pods that it has to place
     */
    public static PlacementPolicies.Entry policy(
            String name, List<TraceJob> known, List<TraceJob> arriving, double[] weights) {
        PodKinds kinds = new PodKinds(known, arriving);
        return new PlacementPolicies.Entry(
                name, "a weighted sum of columns", (on, target, seed) -> new PotentialPlacer(on, kinds, weights));
    }

    /** The weights before the first update: those of FGD. */
    public static double[] untrained() {
        return ServerPotential.untrained();
    }

    private double potential(int server, boolean isUsed, long cpuMilli, int[] left, int from) {
        return potential.of(classes[server], isUsed, cpuMilli, left, from, gpus[server]);
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        Demand demand = job.demand();
        int server = take(kinds.of(demand));
        if (server == SimView.NONE) {
            return null;
        }
        if (isPart(demand)) {
            int gpu = topology.firstGpu(server);
            while (view.cluster().freeMilli(gpu) != part) {
                gpu++;
            }
            return Placement.of(topology, gpu);
        }
        PlacementBuilder builder = gang.on(view, demand);
        builder.take(server, Math.max(1, demand.gpus()));
        return builder.build();
    }

    private static boolean isPart(Demand demand) {
        return demand.gpus() == 1 && demand.gpuMilli() < Demand.WHOLE;
    }

    /** Takes a server for a pod of this kind, or {@link SimView#NONE} where none has room. */
    int take(int kind) {
        Demand demand = kinds.demand(kind);
        double[] known = scores[kind];
        int best = SimView.NONE;
        double most = Double.NEGATIVE_INFINITY;
        for (int server = 0; server < known.length; server++) {
            if (changed[server] > scoredAt[kind]) {
                known[server] = score(demand, server, kind);
            }
            if (known[server] > most) {
                best = server;
                most = known[server];
            }
        }
        scoredAt[kind] = changes;
        if (best != SimView.NONE) {
            part = parts[kind][best];
            cpu[best] -= demand.cpuMilli();
            memory[best] -= demand.memoryMib();
            leave(demand, best, part);
            System.arraycopy(after, 0, free, best * MOST_GPUS, gpus[best]);
            values[best] = potential(best, true, cpu[best], free, best * MOST_GPUS);
            changed[best] = ++changes;
        }
        return best;
    }

    private double score(Demand demand, int server, int kind) {
        int from = server * MOST_GPUS;
        int end = from + gpus[server];
        boolean fits = cpu[server] >= demand.cpuMilli()
                && memory[server] >= demand.memoryMib()
                && demand.gpus() <= gpus[server]
                && (demand.gpus() == 0 || free[end - demand.gpus()] >= demand.gpuMilli())
                && demand.allows(topology.server(server).gpuType().name());
        if (!fits) {
            return Double.NEGATIVE_INFINITY;
        }
        long left = cpu[server] - demand.cpuMilli();
        if (!isPart(demand)) {
            leave(demand, server, Demand.WHOLE);
            return values[server] - potential(server, true, left, after, 0);
        }
        double best = Double.NEGATIVE_INFINITY;
        for (int gpu = from; gpu < end; gpu++) {
            if (free[gpu] < demand.gpuMilli() || (gpu > from && free[gpu] == free[gpu - 1])) {
                continue;
            }
            leave(demand, server, free[gpu]);
            double score = values[server] - potential(server, true, left, after, 0);
            if (score > best) {
                best = score;
                parts[kind][server] = free[gpu];
            }
        }
        return best;
    }

    /** What is left of the GPUs of a server once GPUs with so much left, the least that fits, have got a pod. */
    private void leave(Demand demand, int server, int partLeft) {
        int count = gpus[server];
        System.arraycopy(free, server * MOST_GPUS, after, 0, count);
        if (demand.gpus() == 0) {
            return;
        }
        int taken = count - demand.gpus();
        if (isPart(demand)) {
            taken = 0;
            while (after[taken] != partLeft) {
                taken++;
            }
        }
        // Those taken go down to where they belong in the order.
        for (int gpu = taken; gpu < taken + demand.gpus(); gpu++) {
            int rest = after[gpu] - demand.gpuMilli();
            int at = gpu;
            for (; at > 0 && after[at - 1] > rest; at--) {
                after[at] = after[at - 1];
            }
            after[at] = rest;
        }
    }
}
