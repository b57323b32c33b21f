package org.trainyard.agents.heuristic.packing;

import org.trainyard.agents.heuristic.placing.ServerScore;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * Best fit over CPU and GPUs: the server with the least left after the job, weighting CPU and all its GPUs together by
 * half each.
 *
 * <p>Source: the best-fit baseline of Q. Weng, L. Yang, Y. Yu, W. Wang, X. Tang, G. Yang, L. Zhang: Beware of
 * fragmentation: scheduling GPU-sharing workloads with fragmentation gradient descent, USENIX ATC 2023, and its
 * simulator: the score is {@code 100 (1 - (cpuLeft / mostCpu + gpuLeft / mostGpu) / 2)}, truncated. Our deviations: (1)
 * the capacity of the largest server is that of the cluster, where the simulator has the constants 128 cores and 8 GPUs
 * (the same in the authors' cluster); (2) unlimited CPU does not count.
 */
final class LeastLeft implements ServerScore {
    private static final double FULL = 100;

    private final LargestServer largest;

    LeastLeft(Topology topology) {
        largest = LargestServer.of(topology);
    }

    @Override
    public long of(SimView view, Demand demand, int server) {
        long cpuLeft = view.cluster().freeCpuMilli(server) - demand.cpuMilli();
        long gpuLeft = ServerScore.freeMilliOn(view, server) - (long) demand.gpus() * demand.gpuMilli();
        return (long) ((1 - (largest.cpuPart(cpuLeft) * 0.5 + largest.gpuPart(gpuLeft) * 0.5)) * FULL);
    }
}
