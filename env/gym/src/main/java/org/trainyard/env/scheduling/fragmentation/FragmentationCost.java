package org.trainyard.env.scheduling.fragmentation;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Cost of the growth of fragmentation by a placement, beside predicted slowdowns. It counts on clusters of which a
 * server shares its GPUs and has limited CPU or memory: there parts of GPUs are left over that no job can use. The
 * weight is ours.
 */
public final class FragmentationCost {
    /** A GPU that becomes useless costs as much as this slowdown. */
    private static final double PER_GPU = 0.25;

    private final @Nullable FragmentationGrowth growth;

    public FragmentationCost(Topology topology) {
        boolean counts = IntStream.range(0, topology.servers())
                .mapToObj(topology::server)
                .anyMatch(server -> server.sharing() != GpuSharing.WHOLE
                        && (server.cpuMilli() < ServerSpec.UNLIMITED || server.memoryMib() < ServerSpec.UNLIMITED));
        growth = counts ? new FragmentationGrowth(topology) : null;
    }

    /** Whether fragmentation counts on the cluster. */
    public boolean counts() {
        return growth != null;
    }

    /** The cost of one worker on the GPU; 0 where fragmentation does not count. */
    public double onGpu(SimView view, Demand demand, int gpu) {
        return growth == null ? 0 : PER_GPU * growth.onGpu(view, demand, gpu);
    }

    /** The cost of so many workers on free GPUs of the server; 0 where fragmentation does not count. */
    public double onServer(SimView view, Demand demand, int server, int workers) {
        return growth == null ? 0 : PER_GPU * growth.onServer(view, demand, server, workers);
    }
}
