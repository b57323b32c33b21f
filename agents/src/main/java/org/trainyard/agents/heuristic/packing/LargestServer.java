package org.trainyard.agents.heuristic.packing;

import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/**
 * The most CPU and GPUs any one server has, by which {@link LeastLeft} and {@link DotProduct} make the two comparable.
 *
 * @param cpuMilli thousandths of a core; 0 where CPU never runs out, so that it does not count
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

    /** CPU as a part of the most there is; nothing of a server where it never runs out. */
    public double cpuPart(long milli) {
        return cpuMilli == 0 || milli >= ServerSpec.UNLIMITED / 2 ? 0 : (double) milli / cpuMilli;
    }

    /** GPUs as a part of the most there are. */
    public double gpuPart(long milli) {
        return gpuMilli == 0 ? 0 : (double) milli / gpuMilli;
    }
}
