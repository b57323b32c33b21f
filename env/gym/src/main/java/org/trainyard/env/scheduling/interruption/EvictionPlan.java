package org.trainyard.env.scheduling.interruption;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * The victims that give up their GPUs so that another job can start: running jobs that are preempted, or migrated to
 * another server. A plan holds until the next event, or until time passes.
 */
public interface EvictionPlan {
    /** Number of victims. */
    int size();

    int victim(int i);

    /** The server to which the i-th victim is migrated, or {@link SimView#NONE} for a preempted job. */
    int target(int i);

    /** The sum of the victims' costs. */
    double cost();

    /** Number of servers on which the beneficiary starts. */
    int servers();

    int server(int i);

    /** Number of their racks. */
    int racks(Topology topology);
}
