package org.trainyard.agents.heuristic.lease;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.packing.GpuClustering;
import org.trainyard.agents.heuristic.placing.ScoredFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Gandiva's placer: a job goes beside jobs with equal GPU demand; a job for part of one GPU gets a free GPU or, without
 * one, is packed on the least used GPU whose jobs are compatible with its model.
 *
 * <p>Jobs are packed only where GPUs may be shared, and only for demands of part of one GPU; the use of a GPU is the
 * sum of the GPU pressures of its jobs' models. A job whose only candidates hold incompatible models waits. O(GPUs x
 * jobs on a server).
 */
final class GandivaFit implements Placer {
    private final Placer clustered;
    private final Set<String> incompatiblePairs = new HashSet<>();

    /** @param seed root of the order in which servers of equal score are tried */
    GandivaFit(Topology topology, long seed) {
        clustered = new ScoredFit(new GpuClustering(topology), topology, seed);
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        return isPackable(view, job.demand()) ? part(view, job) : clustered.place(view, job);
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
                        view.cluster().fitsOn(gpu, job.demand()) ? useOf(view, job, gpu) : Double.POSITIVE_INFINITY;
                if (use < bestUse) {
                    best = gpu;
                    bestUse = use;
                }
            }
        }
        return best == SimView.NONE ? null : Placement.of(topology, best);
    }

    /** The use of the GPU by its jobs, 0 for a free one; infinite with an incompatible model. */
    private double useOf(SimView view, JobSpec job, int gpu) {
        if (view.cluster().owner(gpu) == Cluster.FREE) {
            return 0;
        }
        double use = 0;
        int server = view.topology().serverOf(gpu);
        for (int i = 0; i < view.jobsOn(server); i++) {
            int other = view.jobOn(server, i);
            if (holds(view, other, gpu)) {
                String model = view.job(other).model().name();
                use += incompatiblePairs.contains(pair(model, job.model().name()))
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

    /** Records two models as incompatible: a pack of them progressed less than one of them alone. */
    void markIncompatible(String model, String other) {
        incompatiblePairs.add(pair(model, other));
    }

    private static String pair(String a, String b) {
        return a.compareTo(b) <= 0 ? a + " " + b : b + " " + a;
    }
}
