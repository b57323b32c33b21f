package org.trainyard.env.scheduling.placement;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.JobSpec;

/** The cost of placing workers of a job on a server, in a unit of its own, the lower the better. */
@FunctionalInterface
public interface ServerCost {
    /**
     * The cost; called only for servers with room.
     *
     * @param available workers of the job that the server has room for
     * @param workers workers to be placed there, at most as many
     * @param spans whether other workers of the job are placed elsewhere
     */
    double of(SimView view, JobSpec job, int server, int available, int workers, boolean spans);
}
