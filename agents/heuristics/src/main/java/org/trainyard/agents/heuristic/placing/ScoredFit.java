package org.trainyard.agents.heuristic.placing;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * Placement by score, as in the Kubernetes scheduler: the server with the highest score among those with room for the
 * whole job.
 *
 * <p>Ties go to the first server in an order drawn once for the run: in the simulator of Q. Weng et al. (ATC 2023)
 * nodes get a random number before their names, and the first name wins. Ours: (1) {@link BestFit} places a job that
 * need not be on one server and that no server has room for. O(GPUs) and a score for each server.
 */
public final class ScoredFit implements Placer {
    private final GangBuilder gang = new GangBuilder();
    private final Placer spread = new BestFit();
    private final ServerScore score;
    private final int[] order;

    /** @param seed root seed; the order of servers is drawn from its stream {@code server-order} */
    public ScoredFit(ServerScore score, Topology topology, long seed) {
        this.score = score;
        RandomGenerator random = RandomStreams.stream(seed, "server-order");
        order = new int[topology.servers()];
        for (int i = 0; i < order.length; i++) {
            int at = random.nextInt(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        score.noteArrivals(view);
        Demand demand = job.demand();
        if (view.cluster().mostWorkers(demand) < demand.gpus()) {
            return null;
        }
        int server = best(view, demand);
        if (server == SimView.NONE) {
            return demand.oneServer() ? null : spread.place(view, job);
        }
        if (ServerScore.isPart(demand)) {
            return Placement.of(view.topology(), score.gpu(view, demand, server));
        }
        PlacementBuilder builder = gang.on(view, demand);
        builder.take(server, Math.max(1, demand.gpus()));
        return builder.build();
    }

    private int best(SimView view, Demand demand) {
        int workers = Math.max(1, demand.gpus());
        int best = SimView.NONE;
        long most = Long.MIN_VALUE;
        for (int server : order) {
            if (view.cluster().room(demand, server) >= workers) {
                long points = score.of(view, demand, server);
                if (best == SimView.NONE || points > most) {
                    best = server;
                    most = points;
                }
            }
        }
        return best;
    }
}
