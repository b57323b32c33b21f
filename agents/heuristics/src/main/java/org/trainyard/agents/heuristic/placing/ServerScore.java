package org.trainyard.agents.heuristic.placing;

import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Demand;

/** The score of a placement policy for a job on a server with room for it. */
public interface ServerScore {
    /** The score of the server, the higher the better; {@link ScoredFit} calls it once for every server with room. */
    long of(SimView view, Demand demand, int server);

    /** Takes note of the jobs that have arrived; {@link ScoredFit} calls it before it places any of them. */
    default void noteArrivals(SimView view) {}

    /**
     * The GPU of the server for a job that needs a part of one: the fitting GPU with the least left, the first of
     * equals.
     */
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

    /** Whether the demand is for a part of one GPU, so that the choice of the GPU matters. */
    static boolean isPart(Demand demand) {
        return demand.gpus() == 1 && demand.gpuMilli() < Demand.WHOLE;
    }

    /** Free capacity of all GPUs of the server together, thousandths of a GPU. */
    static long freeMilliOn(SimView view, int server) {
        int first = view.topology().firstGpu(server);
        long free = 0;
        for (int gpu = first; gpu < first + view.topology().gpusOn(server); gpu++) {
            free += view.cluster().freeMilli(gpu);
        }
        return free;
    }
}
