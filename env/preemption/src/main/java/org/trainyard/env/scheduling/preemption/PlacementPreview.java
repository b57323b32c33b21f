package org.trainyard.env.scheduling.preemption;

import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.scheduling.placement.InterferenceCost;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/** Predicts what it would cost to place a whole job on a server. */
public final class PlacementPreview {
    private final Topology topology;
    private final InterferenceCost costs;

    /** @param belief the interference model of the scheduler, not that of the simulator */
    public PlacementPreview(Topology topology, InterferenceModel belief) {
        this.topology = topology;
        costs = new InterferenceCost(topology, belief, ResidualTimeFloor::seconds);
    }

    /**
     * The cost of all the job's GPUs on one server with room: slowdown of the job, extra slowdown of its neighbours,
     * and GPUs left over.
     *
     * @param leftoverWeight cost of a server with all but one GPU left free
     */
    public double costOn(SimView view, int job, int server, double leftoverWeight) {
        int gpus = view.job(job).gpus();
        costs.predict(view, job, server, gpus, false);
        double left = (double) (view.cluster().freeOn(server) - gpus) / topology.gpusOn(server);
        return costs.own() - 1 + costs.harm() + left * leftoverWeight;
    }
}
