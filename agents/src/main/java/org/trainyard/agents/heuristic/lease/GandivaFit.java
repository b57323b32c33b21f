package org.trainyard.agents.heuristic.lease;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.packing.GpuClustering;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.placement.ScoredFit;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Where Gandiva puts a job: beside jobs that want as many GPUs; part of one GPU on a GPU of its own while there is one, else packed on the
 * one that is used least, but not with a model it got on badly with.
 *
 * <p>Only where GPUs may be shared, and for demands of part of one GPU, is there packing; how much a GPU is used is what the models of its
 * jobs press on it. Where only bad company is to be had a job waits until one of them ends. O(GPUs x jobs on a server).
 */
final class GandivaFit implements Placer {
    private final Placer beside;
    private final Set<String> badCompany = new HashSet<>();

    /** @param seed of the order in which equal servers are tried */
    GandivaFit(Topology topology, long seed) {
        beside = new ScoredFit(new GpuClustering(topology), topology, seed);
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        return isPackable(view, job.demand()) ? part(view, job) : beside.place(view, job);
    }

    static boolean isPackable(SimView view, Demand demand) {
        return view.cluster().isShared() && demand.gpus() == 1 && demand.gpuMilli() < Demand.WHOLE;
    }

    private @Nullable Placement part(SimView view, JobSpec job) {
        Topology topology = view.topology();
        int best = SimView.NONE;
        double bestUse = Double.POSITIVE_INFINITY;
        for (int server = 0; server < topology.servers(); server++) {
            if (view.cluster().room(job.demand(), server) == 0) {
                continue;
            }
            int first = topology.firstGpu(server);
            for (int gpu = first; gpu < first + topology.gpusOn(server) && bestUse > 0; gpu++) {
                double use =
                        view.cluster().fitsOn(gpu, job.demand()) ? partOn(view, job, gpu) : Double.POSITIVE_INFINITY;
                if (use < bestUse) {
                    best = gpu;
                    bestUse = use;
                }
            }
        }
        return best == SimView.NONE ? null : Placement.of(topology, best);
    }

    /** How much of the GPU's time its jobs use, 0 for a free one; infinity when one of them is bad company. */
    private double partOn(SimView view, JobSpec job, int gpu) {
        if (view.cluster().owner(gpu) == Cluster.FREE) {
            return 0;
        }
        double use = 0;
        int server = view.topology().serverOf(gpu);
        for (int i = 0; i < view.jobsOn(server); i++) {
            int other = view.jobOn(server, i);
            if (holds(view, other, gpu)) {
                String model = view.job(other).model().name();
                use += badCompany.contains(pair(model, job.model().name()))
                        ? Double.POSITIVE_INFINITY
                        : view.job(other).model().pressure().gpu();
            }
        }
        return Math.max(use, 1e-9);
    }

    static boolean holds(SimView view, int job, int gpu) {
        Placement placement = view.placement(job);
        int server = view.topology().serverOf(gpu);
        int at = placement.indexOf(server);
        return at >= 0 && (placement.maskOn(at) & (1L << (gpu - view.topology().firstGpu(server)))) != 0;
    }

    /** Remembers that a pack of the two models did less than one of them alone. */
    void separate(String model, String other) {
        badCompany.add(pair(model, other));
    }

    private static String pair(String a, String b) {
        return a.compareTo(b) <= 0 ? a + " " + b : b + " " + a;
    }
}
