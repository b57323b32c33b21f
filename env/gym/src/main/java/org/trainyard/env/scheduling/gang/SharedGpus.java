package org.trainyard.env.scheduling.gang;

import org.trainyard.env.scheduling.fragmentation.FragmentationCost;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The GPUs on which a job for a part of one GPU could start now: the cheapest free one, and every one that other jobs
 * hold in part and that has room. The cost of a GPU is the predicted slowdown of the job there plus the harm to its
 * neighbours ({@link InterferenceCost#predictOn}), plus the cost of fragmentation where that counts. Of held GPUs of a
 * server that cost the same and have as much left, the first is kept then. O(GPUs with room x jobs on a server
 * squared).
 */
final class SharedGpus {
    private final Topology topology;
    private final InterferenceCost costs;
    private final FragmentationCost fragmentation;
    private final long[] seen;
    private int seenCount;

    SharedGpus(Topology topology, InterferenceCost costs, FragmentationCost fragmentation) {
        this.topology = topology;
        this.costs = costs;
        this.fragmentation = fragmentation;
        seen = new long[2 * Math.max(1, topology.widestServer())];
    }

    void find(SimView view, int job, Demand demand, CheapestSets kept) {
        int free = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int server = 0; server < topology.servers(); server++) {
            if (view.cluster().room(demand, server) == 0) {
                continue;
            }
            int end = topology.firstGpu(server) + topology.gpusOn(server);
            boolean hasFree = false;
            long content = costs.contentByGpu(view, server);
            seenCount = 0;
            for (int gpu = topology.firstGpu(server); gpu < end; gpu++) {
                boolean isFree = view.cluster().owner(gpu) == Cluster.FREE;
                if (!view.cluster().fitsOn(gpu, demand) || (isFree && hasFree)) {
                    continue;
                }
                double cost = cost(view, job, demand, gpu, content);
                if (!isFree && !isRepeated(view, gpu, cost)) {
                    kept.offerGpu(server, gpu, cost, gpu, costs.own(), costs.harm());
                } else if (isFree && cost < least) {
                    least = cost;
                    free = gpu;
                }
                hasFree |= isFree;
            }
        }
        if (free != SimView.NONE) {
            costs.predictOn(view, job, free, costs.contentByGpu(view, topology.serverOf(free)));
            kept.offerGpu(topology.serverOf(free), free, least, topology.gpus(), costs.own(), costs.harm());
        }
    }

    private double cost(SimView view, int job, Demand demand, int gpu, long content) {
        costs.predictOn(view, job, gpu, content);
        return costs.own() - 1 + costs.harm() + fragmentation.onGpu(view, demand, gpu);
    }

    /** Whether an earlier GPU of the server costs the same and has as much left, where fragmentation counts. */
    private boolean isRepeated(SimView view, int gpu, double cost) {
        if (!fragmentation.counts()) {
            return false;
        }
        long key = Double.doubleToLongBits(cost) * 1031 + view.cluster().freeMilli(gpu);
        for (int i = 0; i < seenCount; i++) {
            if (seen[i] == key) {
                return true;
            }
        }
        seen[seenCount++] = key;
        return false;
    }
}
