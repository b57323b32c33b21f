package org.trainyard.env.scheduling.placement;

import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The GPUs on which a job for a part of one GPU could start now: the cheapest free one, and every one that other jobs hold in part and that has room. The
 * cost of a GPU is the predicted slowdown of the job there plus the harm to its neighbours ({@link InterferenceCost#predictOn}). O(GPUs with room x jobs on
 * a server squared).
 */
final class SharedGpus {
    private final Topology topology;
    private final InterferenceCost costs;

    SharedGpus(Topology topology, InterferenceCost costs) {
        this.topology = topology;
        this.costs = costs;
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
            for (int gpu = topology.firstGpu(server); gpu < end; gpu++) {
                boolean isFree = view.cluster().owner(gpu) == Cluster.FREE;
                if (!view.cluster().fitsOn(gpu, demand) || (isFree && hasFree)) {
                    continue;
                }
                costs.predictOn(view, job, gpu, content);
                double cost = costs.own() - 1 + costs.harm();
                if (!isFree) {
                    kept.offerGpu(server, gpu, cost, costs.own(), costs.harm());
                } else if (cost < least) {
                    least = cost;
                    free = gpu;
                }
                hasFree |= isFree;
            }
        }
        if (free != SimView.NONE) {
            costs.predictOn(view, job, free, costs.contentByGpu(view, topology.serverOf(free)));
            kept.offerGpu(topology.serverOf(free), free, least, costs.own(), costs.harm());
        }
    }
}
