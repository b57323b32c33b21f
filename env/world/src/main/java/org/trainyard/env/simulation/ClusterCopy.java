package org.trainyard.env.simulation;

import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The allocation of some servers of a data centre, as one of several schedulers sees it: a {@link Cluster} of its own,
 * which its owner keeps up to date.
 */
public final class ClusterCopy {
    private final Topology topology;
    private final Cluster cluster;

    /** Free servers. */
    public ClusterCopy(Topology topology) {
        this.topology = topology;
        cluster = new Cluster(topology);
    }

    /** Free servers with the planned maintenance of another cluster's servers from one on. */
    public ClusterCopy(Topology topology, Cluster of, int firstServer) {
        this(topology);
        cluster.heedThatOf(of, firstServer);
    }

    public Cluster cluster() {
        return cluster;
    }

    /** Gives a job its GPUs, which must be free for it. */
    public void allocate(int job, Demand demand, Placement placement) {
        cluster.allocate(job, demand, placement);
    }

    public void release(int job, Demand demand, Placement placement) {
        cluster.release(job, demand, placement);
    }

    /** Takes free GPUs for a job that the owner does not know: they count as out of order. */
    public void block(Demand demand, Placement placement) {
        cluster.block(demand, placement);
    }

    /** Undoes {@link #block}. */
    public void unblock(Demand demand, Placement placement) {
        cluster.unblock(demand, placement);
    }

    /** Takes a free GPU out of order, or repairs it. */
    public void setDown(int gpu, boolean isDown) {
        if (isDown) {
            cluster.breakDown(gpu);
        } else {
            cluster.repair(gpu);
        }
        int server = topology.serverOf(gpu);
        cluster.setDown(server, cluster.downOn(server) == topology.gpusOn(server));
    }
}
