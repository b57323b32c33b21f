package org.trainyard.agents.heuristic.placing;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/**
 * Network-oblivious placement: draws free GPUs one by one, all equally likely. On one server the builder then takes the
 * sockets that fit, and {@link BestFit} places demands for other than whole GPUs of any type. O(GPUs).
 */
public final class RandomGpuPlacer implements Placer {
    private final GangBuilder gang = new GangBuilder();
    private final BestFit constrained = new BestFit();
    private final RandomGenerator random;
    private int[] wanted = new int[0];

    /** @param seed root seed; the placer draws from its stream {@code random-gpus} */
    public RandomGpuPlacer(long seed) {
        random = RandomStreams.stream(seed, "random-gpus");
    }

    @Override
    public @Nullable Placement place(SimView view, JobSpec job) {
        if (!job.demand().isPlain()) {
            return constrained.place(view, job);
        }
        if (view.cluster().free() < job.gpus()) {
            return null;
        }
        wanted = wanted.length < view.topology().servers()
                ? new int[view.topology().servers()]
                : wanted;
        Arrays.fill(wanted, 0);
        int left = job.gpus();
        int unseen = view.cluster().free();
        for (int gpu = 0; gpu < view.topology().gpus() && left > 0; gpu++) {
            if (view.cluster().owner(gpu) == Cluster.FREE && random.nextInt(unseen--) < left) {
                wanted[view.topology().serverOf(gpu)]++;
                left--;
            }
        }
        PlacementBuilder builder = gang.on(view, job.demand());
        for (int server = 0; server < view.topology().servers(); server++) {
            if (wanted[server] > 0) {
                builder.take(server, wanted[server]);
            }
        }
        return builder.build();
    }
}
