package org.trainyard.env.scheduling.placement;

import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Predicts what the best free placement of a waiting job in a range of servers would mean: the server of least
 * predicted interference where one server suffices, else the servers with most free GPUs.
 */
public final class PlacementPreview {
    /** A server with all but one GPU left free costs as much as this slowdown. */
    private static final double LEFTOVER = 1.0 / 16;

    private final Topology topology;
    private final InterferenceCost costs;
    private double own;
    private double harm;
    private double leftover;

    /** @param belief the interference model of the scheduler, not that of the simulator */
    public PlacementPreview(Topology topology, InterferenceModel belief) {
        this.topology = topology;
        costs = new InterferenceCost(topology, belief, ResidualTimeFloor::seconds);
    }

    /**
     * Finds the placement, which the accessors describe until the next call, on one server only where its {@link #cost}
     * is below a limit: neighbours are not looked
     * at where the rest of the cost reaches the limit.
     *
     * @return whether there is a placement of less cost; the accessors are undefined when there is none
     */
    public boolean find(SimView view, int job, int from, int to, int servers, double limit) {
        int gpus = view.job(job).gpus();
        own = 1;
        harm = 0;
        leftover = 0;
        if (servers == 1) {
            return findServer(view, job, gpus, from, to, limit);
        }
        findServers(view, job, gpus, from, to);
        return cost() < limit;
    }

    /**
     * The cost of all the job's GPUs on one server with room: slowdown of the job, extra slowdown of its
     * neighbours, and GPUs left over.
     *
     * @param leftoverWeight cost of a server with all but one GPU left free
     */
    public double costOn(SimView view, int job, int server, double leftoverWeight) {
        int gpus = view.job(job).gpus();
        costs.predict(view, job, server, gpus, false);
        double left = (double) (view.cluster().freeOn(server) - gpus) / topology.gpusOn(server);
        return costs.own() - 1 + costs.harm() + left * leftoverWeight;
    }

    private boolean findServer(SimView view, int job, int gpus, int from, int to, double limit) {
        double least = limit;
        for (int server = from; server < to; server++) {
            int free = view.cluster().freeOn(server);
            if (free < gpus) {
                continue;
            }
            double left = (double) (free - gpus) / topology.gpusOn(server);
            costs.predictOwn(view, job, server, gpus, false);
            if (cost(left) >= least) {
                // Harm would only add to it.
                continue;
            }
            costs.addHarm(view, job, server);
            if (cost(left) < least) {
                least = cost(left);
                own = costs.own();
                harm = costs.harm();
                leftover = left;
            }
        }
        return least < limit;
    }

    /** The cost of the server that was predicted last. */
    private double cost(double left) {
        return costs.own() - 1 + costs.harm() + left * LEFTOVER;
    }

    private void findServers(SimView view, int job, int gpus, int from, int to) {
        int left = gpus;
        for (int free = topology.widestServer(); free > 0 && left > 0; free--) {
            for (int server = from; server < to && left > 0; server++) {
                if (view.cluster().freeOn(server) == free) {
                    int takes = Math.min(left, free);
                    costs.predict(view, job, server, takes, true);
                    own = Math.max(own, costs.own());
                    harm += costs.harm();
                    leftover = (double) (free - takes) / topology.gpusOn(server);
                    left -= takes;
                }
            }
        }
    }

    /** The cost of the placement, as {@link #costOn}. */
    public double cost() {
        return own - 1 + harm + leftover * LEFTOVER;
    }

    /** Predicted slowdown of the job against the fastest GPUs of the cluster, at least 1. */
    public double own() {
        return own;
    }

    /** Predicted extra slowdown of the neighbours, see {@link InterferenceCost#harm}. */
    public double harm() {
        return harm;
    }
}
