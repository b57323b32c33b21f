package org.trainyard.agents.heuristic.packing;

import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The largest CPU and GPU capacity of any server, by which {@link LeastLeft} and {@link DotProduct} normalise both.
 *
 * @param cpuMilli thousandths of a core; 0 where CPU is unlimited, so that it does not count
 * @param gpuMilli thousandths of a GPU
 */
public record LargestServer(long cpuMilli, long gpuMilli) {
    public static LargestServer of(Topology topology) {
        long cpu = 0;
        for (int server = 0; server < topology.servers(); server++) {
            long here = topology.server(server).cpuMilli();
            cpu = here < ServerSpec.UNLIMITED ? Math.max(cpu, here) : cpu;
        }
        return new LargestServer(cpu, (long) topology.widestServer() * Demand.WHOLE);
    }

    /** CPU as a fraction of the largest capacity; 0 for a server with unlimited CPU. */
    public double cpuPart(long milli) {
        return cpuMilli == 0 || milli >= ServerSpec.UNLIMITED / 2 ? 0 : (double) milli / cpuMilli;
    }

    /** GPUs as a fraction of the largest capacity. */
    public double gpuPart(long milli) {
        return gpuMilli == 0 ? 0 : (double) milli / gpuMilli;
    }
}
