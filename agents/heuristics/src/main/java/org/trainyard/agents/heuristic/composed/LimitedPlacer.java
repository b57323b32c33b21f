package org.trainyard.agents.heuristic.composed;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.ConsolidatingPlacer;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.gpusets.GpuRule;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.placement.ServerCost;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/** A placer that is told the greatest number of servers, so that a job can wait for a narrower placement. */
interface LimitedPlacer {
    /** A placement on at most so many servers, or null. */
    @Nullable Placement place(SimView view, JobSpec job, int mostServers);

    /** Chooses servers one by one, the cheapest of the fewest possible, and the GPUs of a job on one. */
    static LimitedPlacer byServer(ServerCost cost, SetChoice choice) {
        return new ConsolidatingPlacer(cost, choice)::place;
    }

    /**
     * Chooses the cheapest of {@link GangCandidates}: whole sets of servers are compared, over all racks.
     *
     * @param keepsToRack whether a placement on a limited number of servers is in one rack, where one can hold the gang
     * @param rule which GPUs a job on one server takes
     */
    static LimitedPlacer bySet(Topology topology, InterferenceModel belief, boolean keepsToRack, GpuRule rule) {
        GangCandidates sets = new GangCandidates(topology, belief, 1, rule);
        GangBuilder gang = new GangBuilder();
        return (view, job, mostServers) -> {
            if (sets.find(view, job.id()) == 0 || sets.servers(0) > mostServers) {
                return null;
            }
            boolean canKeep = keepsToRack && mostServers < Integer.MAX_VALUE && job.gpus() <= topology.widestRack();
            return canKeep && sets.racks(0) > 1 ? null : sets.placement(0, gang.on(view, job.demand()));
        };
    }
}
