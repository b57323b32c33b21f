package org.trainyard.agents.heuristic.packing;

import org.trainyard.agents.heuristic.placing.ServerScore;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * GPU clustering: jobs with equal GPU demand share servers. Servers that hold only such jobs come first, then servers
 * that also hold others, then servers without GPU jobs, then the rest; within a class the server with the fewest GPUs
 * left.
 *
 * <p>Source: the GPU clustering baseline of Q. Weng et al.: Beware of fragmentation, USENIX ATC 2023, after W. Xiao et
 * al.: Gandiva, OSDI 2018. Scores as in the former's simulator: 75, 50, 25 or 0, and up to 25 by the used fraction of
 * the largest server's GPUs, truncated. Jobs on parts of GPUs count as equal whatever the part; a job without GPUs has
 * no preference. Our deviation: (1) the largest server is that of the cluster, where the simulator has the constant 8
 * GPUs (the same in the authors' cluster).
 */
public final class GpuClustering implements ServerScore {
    private static final int STEP = 25;

    private final long largestMilli;

    public GpuClustering(Topology topology) {
        largestMilli = LargestServer.of(topology).gpuMilli();
    }

    @Override
    public long of(SimView view, Demand demand, int server) {
        if (demand.gpus() == 0) {
            return 0;
        }
        long kinds = 0;
        for (int i = 0; i < view.jobsOn(server); i++) {
            kinds |= kind(view.job(view.jobOn(server, i)).demand());
        }
        int level = 0;
        if (kinds == 0) {
            level = 1;
        } else if ((kinds & kind(demand)) != 0) {
            level = kinds == kind(demand) ? 3 : 2;
        }
        long used = largestMilli - ServerScore.freeMilliOn(view, server);
        return (long) level * STEP + STEP * used / largestMilli;
    }

    /** A bit for each number of whole GPUs, one for parts; none for a job without GPUs. */
    private static long kind(Demand demand) {
        if (demand.gpus() == 0) {
            return 0;
        }
        return ServerScore.isPart(demand) ? 1 : 1L << Math.min(demand.gpus(), Long.SIZE - 1);
    }
}
