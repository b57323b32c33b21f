package org.trainyard.env.scheduling.migration;

import org.trainyard.env.scheduling.interruption.EvictionPlanning;
import org.trainyard.env.scheduling.interruption.Interruptions;
import org.trainyard.env.scheduling.interruption.MigrationSearch;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.preemption.EvictionPlanners;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/** The evictions and migrations of this module, for the auction of agents. */
public final class RunningJobInterruptions implements Interruptions {
    @Override
    public EvictionPlanning evictions(Agents agents, SimView view, Rank remaining, PlacementBuilder builder) {
        return new EvictionPlanners(agents, view, remaining, builder);
    }

    @Override
    public MigrationSearch migrations(Agents agents, Rank remaining, int most) {
        return new JobMoves(agents.topology(), agents.belief(), remaining, most, agents.choice());
    }

    @Override
    public int planners(Topology topology) {
        return EvictionPlanners.count(topology);
    }
}
