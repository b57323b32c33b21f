package org.trainyard.agents.heuristic.placing;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/** Random fit: all free GPUs of servers drawn at random. The floor that any placement should beat. O(servers). */
public final class RandomFit implements Placer {
    private final GangBuilder gang = new GangBuilder();
    private final RandomGenerator random;
    private final int[] servers;

    /** @param seed root seed; the placer draws from its stream {@code random-fit} */
    public RandomFit(Topology topology, long seed) {
        random = RandomStreams.stream(seed, "random-fit");
        servers = new int[topology.servers()];
        for (int server = 0; server < servers.length; server++) {
            servers[server] = server;
        }
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        if (view.cluster().mostWorkers(job.demand()) < job.gpus()) {
            return null;
        }
        return ConstrainedFit.fill(gang.on(view, job.demand()), job.demand(), servers.length, this::draw);
    }

    /** The next server of a partial shuffle, of which {@code drawn} servers have been drawn. */
    private int draw(int drawn) {
        int at = drawn + random.nextInt(servers.length - drawn);
        int server = servers[at];
        servers[at] = servers[drawn];
        servers[drawn] = server;
        return server;
    }
}
