package org.trainyard.env.scheduling.placement;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.JobSpec;

/** What it costs to put workers of a job on a server, in a unit of its own: the less the better. */
@FunctionalInterface
public interface ServerCost {
    /**
     * The cost; asked only of servers with room.
     *
     * @param available workers of the job that the server has room for
     * @param workers those to be put there, at most as many
     * @param spans whether the rest of the job goes elsewhere
     */
    double of(SimView view, JobSpec job, int server, int available, int workers, boolean spans);
}
