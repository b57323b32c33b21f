package org.trainyard.agents.heuristic.packing;

import java.util.Arrays;
import org.trainyard.agents.heuristic.placing.ServerScore;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * GPU packing: shared GPUs before idle GPUs of used servers, and those before idle servers.
 *
 * <p>Source: the GPU packing baseline of Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023, after Q. Weng et
 * al.: MLaaS in the wild, NSDI 2022. Scores as in the former's simulator: 100 less a tenth of the percentage left of
 * the GPUs that would be used, at least 50; else 50 less the idle GPUs that would be used, at least 33; else, on an
 * idle server, 33 less its number of GPUs, at least that number. A job without GPUs has no preference.
 */
final class GpuPacking implements ServerScore {
    private static final int USED_GPU = 100;
    private static final int USED_SERVER = 50;
    private static final int IDLE_SERVER = 33;
    private static final int PER_CENT = Demand.WHOLE / 100;

    @Override
    public long of(SimView view, Demand demand, int server) {
        if (demand.gpus() == 0) {
            return 0;
        }
        Cluster cluster = view.cluster();
        Topology topology = view.topology();
        int gpus = topology.gpusOn(server);
        if (cluster.freeOn(server) == gpus) {
            return Math.max(IDLE_SERVER - gpus, gpus);
        }
        int[] left = new int[gpus];
        int fitting = 0;
        for (int gpu = topology.firstGpu(server); gpu < topology.firstGpu(server) + gpus; gpu++) {
            if (cluster.fitsOn(gpu, demand)) {
                left[fitting++] = cluster.freeMilli(gpu);
            }
        }
        Arrays.sort(left, 0, fitting);
        int idle = 0;
        int percentLeft = 0;
        for (int i = 0; i < demand.gpus(); i++) {
            idle += left[i] == Demand.WHOLE ? 1 : 0;
            percentLeft += left[i] / PER_CENT;
        }
        return idle > 0
                ? Math.max(USED_SERVER - idle, IDLE_SERVER)
                : Math.max(USED_GPU - percentLeft / 10, USED_SERVER);
    }
}
