package org.trainyard.agents.heuristic.packing;

import org.trainyard.agents.heuristic.placing.ServerScore;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Dot-product packing: the server whose free CPU and GPUs, as a vector, have the smallest dot product with the demand.
 *
 * <p>Source: the dot-product baseline of Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023, after R. Grandl et
 * al.: Multi-resource packing for cluster schedulers, SIGCOMM 2014, which take the largest product; the simulator of
 * the former takes the smallest, with both vectors as fractions of the largest server ({@code merge}, {@code max}): the
 * score is {@code 100 (1 - product / 2)}, truncated. Our deviations: those of {@link LeastLeft}.
 */
final class DotProduct implements ServerScore {
    private static final double FULL = 100;
    private static final int DIMENSIONS = 2;

    private final LargestServer largest;

    DotProduct(Topology topology) {
        largest = LargestServer.of(topology);
    }

    @Override
    public long of(SimView view, Demand demand, int server) {
        double cpu = largest.cpuPart(view.cluster().freeCpuMilli(server)) * largest.cpuPart(demand.cpuMilli());
        double gpu = largest.gpuPart(ServerScore.freeMilliOn(view, server))
                * largest.gpuPart((long) demand.gpus() * demand.gpuMilli());
        return (long) (FULL * (1 - (cpu + gpu) / DIMENSIONS));
    }
}
