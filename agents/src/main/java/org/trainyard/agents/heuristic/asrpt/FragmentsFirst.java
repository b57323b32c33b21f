package org.trainyard.agents.heuristic.asrpt;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.placement.ConstrainedFit;
import org.trainyard.env.scheduling.placement.GangBuilder;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * Uses up what is left over: the server with the fewest free GPUs that holds the whole job or, failing that, as many servers as it
 * takes, those with the fewest free GPUs first; the first of equals.
 *
 * <p>A-SRPT's placement of jobs that do not suffer from being spread (see {@link ASrpt}). O(servers).
 */
public final class FragmentsFirst implements Placer {
    private static final int MOST_GPUS_ON_A_SERVER = 64;

    private final GangBuilder gang = new GangBuilder();
    private final int[] start = new int[MOST_GPUS_ON_A_SERVER + 2];
    private int[] order = new int[0];

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        PlacementBuilder builder = gang.ifRoom(view, job);
        if (builder == null) {
            return null;
        }
        int servers = sort(builder, view.topology().servers());
        return ConstrainedFit.wholeOrFill(builder, job.demand(), servers, i -> order[i]);
    }

    /** Counting sort of the servers with room; how many there are. */
    private int sort(PlacementBuilder builder, int servers) {
        if (order.length < servers) {
            order = new int[servers];
        }
        Arrays.fill(start, 0);
        for (int server = 0; server < servers; server++) {
            start[builder.available(server) + 1]++;
        }
        int without = start[1];
        start[1] = 0;
        for (int room = 1; room <= MOST_GPUS_ON_A_SERVER; room++) {
            start[room + 1] += start[room];
        }
        for (int server = 0; server < servers; server++) {
            int room = builder.available(server);
            if (room > 0) {
                order[start[room]++] = server;
            }
        }
        return servers - without;
    }
}
