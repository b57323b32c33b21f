package org.trainyard.env.gym.action;

import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * What the best place that an agent could give a waiting job now would mean: the server with least interference where one server
 * suffices, else the emptiest servers.
 */
public final class PlacementPreview {
    /** A server left empty but for one GPU is as bad as being slowed down by so much. */
    private static final double LEFTOVER = 1.0 / 16;

    private final Topology topology;
    private final Domains domains;
    private final InterferenceCost costs;
    private double own;
    private double harm;
    private double leftover;
    private boolean opensServer;

    public PlacementPreview(Topology topology, Domains domains, InterferenceModel belief) {
        this.topology = topology;
        this.domains = domains;
        costs = new InterferenceCost(topology, belief);
    }

    public InterferenceCost costs() {
        return costs;
    }

    /** Looks for a place at home for a job that finds one there on {@code servers} servers, the emptiest first. */
    public void find(SimView view, int agent, int job, int servers) {
        int gpus = view.job(job).gpus();
        own = 1;
        harm = 0;
        leftover = 0;
        opensServer = false;
        if (servers == 1) {
            findServer(view, agent, job, gpus);
        } else {
            findServers(view, agent, job, gpus);
        }
    }

    /**
     * What speaks against giving the job all its GPUs on the server, where they are free.
     *
     * @param leftoverWeight what it counts when the server is left empty but for one GPU
     */
    public double costOn(SimView view, int job, int server, double leftoverWeight) {
        int gpus = view.job(job).gpus();
        costs.of(view, job, server, gpus, false);
        double left = (double) (view.cluster().freeOn(server) - gpus) / topology.gpusOn(server);
        return costs.own() - 1 + costs.harm() + left * leftoverWeight;
    }

    private void findServer(SimView view, int agent, int job, int gpus) {
        double least = Double.POSITIVE_INFINITY;
        int end = domains.firstServer(agent) + domains.servers(agent);
        for (int server = domains.firstServer(agent); server < end; server++) {
            int free = view.cluster().freeOn(server);
            if (free < gpus) {
                continue;
            }
            double cost = costOn(view, job, server, LEFTOVER);
            if (cost < least) {
                least = cost;
                own = costs.own();
                harm = costs.harm();
                leftover = (double) (free - gpus) / topology.gpusOn(server);
                opensServer = free == topology.gpusOn(server);
            }
        }
    }

    private void findServers(SimView view, int agent, int job, int gpus) {
        int left = gpus;
        int end = domains.firstServer(agent) + domains.servers(agent);
        for (int free = topology.widestServer(); free > 0 && left > 0; free--) {
            for (int server = domains.firstServer(agent); server < end && left > 0; server++) {
                if (view.cluster().freeOn(server) == free) {
                    int takes = Math.min(left, free);
                    costs.of(view, job, server, takes, true);
                    own = Math.max(own, costs.own());
                    harm += costs.harm();
                    leftover = (double) (free - takes) / topology.gpusOn(server);
                    opensServer |= free == topology.gpusOn(server);
                    left -= takes;
                }
            }
        }
    }

    /** What speaks against the place: slowdown of the job and of its neighbours, and a little of what is left over. */
    double cost() {
        return own - 1 + harm + leftover * LEFTOVER;
    }

    /** Slowdown of the job there, at least 1. */
    public double own() {
        return own;
    }

    /** Extra slowdown of the neighbours there, weighted by the part of the job's time for which they stay. */
    public double harm() {
        return harm;
    }

    /** GPUs left free on the last server, as a part of it. */
    public double leftover() {
        return leftover;
    }

    /** Whether an empty server is opened. */
    public boolean opensServer() {
        return opensServer;
    }
}
