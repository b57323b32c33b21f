package org.trainyard.agents.heuristic.packing;

import java.util.random.RandomGenerator;
import org.trainyard.agents.heuristic.placing.ServerScore;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Demand;

/**
 * Random fit: a server drawn uniformly from those with room, and for a part of a GPU one of its GPUs likewise.
 *
 * <p>Source: the random-fit baseline of Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023.
 */
final class RandomServer implements ServerScore {
    private final RandomGenerator random;

    /** @param seed root seed; the policy draws from its stream {@code random-server} */
    RandomServer(long seed) {
        random = RandomStreams.stream(seed, "random-server");
    }

    /** The highest of equally many draws as there are servers is each server's with equal probability. */
    @Override
    public long of(SimView view, Demand demand, int server) {
        return random.nextLong();
    }

    @Override
    public int gpu(SimView view, Demand demand, int server) {
        Cluster cluster = view.cluster();
        int first = view.topology().firstGpu(server);
        int drawn = SimView.NONE;
        int fitting = 0;
        for (int gpu = first; gpu < first + view.topology().gpusOn(server); gpu++) {
            if (cluster.fitsOn(gpu, demand) && random.nextInt(++fitting) == 0) {
                drawn = gpu;
            }
        }
        return drawn;
    }
}
