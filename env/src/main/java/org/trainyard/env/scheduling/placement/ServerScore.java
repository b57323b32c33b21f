package org.trainyard.env.scheduling.placement;

import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Demand;

/** What a placement policy thinks of putting a job on a server that has room for it. */
public interface ServerScore {
    /** Points for the server, the more the better; {@link ScoredFit} asks once for every server with room. */
    long of(SimView view, Demand demand, int server);

    /** The GPU of the server for a job that needs a part of one: that with least left that is enough, the first of equals. */
    default int gpu(SimView view, Demand demand, int server) {
        Cluster cluster = view.cluster();
        int first = view.topology().firstGpu(server);
        int best = SimView.NONE;
        for (int gpu = first; gpu < first + view.topology().gpusOn(server); gpu++) {
            if (cluster.fitsOn(gpu, demand)
                    && (best == SimView.NONE || cluster.freeMilli(gpu) < cluster.freeMilli(best))) {
                best = gpu;
            }
        }
        return best;
    }

    /** Whether the demand is for a part of one GPU, so that it matters which. */
    static boolean isPart(Demand demand) {
        return demand.gpus() == 1 && demand.gpuMilli() < Demand.WHOLE;
    }

    /** What is left of all GPUs of the server together, thousandths. */
    static long freeMilliOn(SimView view, int server) {
        int first = view.topology().firstGpu(server);
        long free = 0;
        for (int gpu = first; gpu < first + view.topology().gpusOn(server); gpu++) {
            free += view.cluster().freeMilli(gpu);
        }
        return free;
    }
}
