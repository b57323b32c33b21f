package org.trainyard.agents.heuristic.asrpt;

import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.CandidateServers;
import org.trainyard.agents.heuristic.placing.ConstrainedFit;
import org.trainyard.agents.heuristic.placing.GangBuilder;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * A placer that fills fragments: the server with the fewest free GPUs that holds the whole job or, failing that, as
 * many servers as necessary, those with the fewest free GPUs first; the first of equals.
 *
 * <p>The placement of A-SRPT for jobs that are not communication-heavy (see {@link ASrpt}). O(servers log servers).
 */
final class FragmentsFirst implements Placer {
    private final GangBuilder gang = new GangBuilder();

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        PlacementBuilder builder = gang.ifRoom(view, job);
        if (builder == null) {
            return null;
        }
        int[] order = CandidateServers.sorted(builder, view.topology().servers(), builder::available);
        return ConstrainedFit.wholeOrFill(builder, job.demand(), order.length, i -> order[i]);
    }
}
