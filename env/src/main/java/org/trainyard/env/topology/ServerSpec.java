package org.trainyard.env.topology;

/**
 * What is inside a server.
 *
 * @param gpuType the type of all its GPUs
 * @param sockets CPU sockets, at least one; GPUs are spread evenly over them
 * @param gpus GPUs in all, a multiple of {@code sockets}, at most 64
 * @param nvlink whether NVLink joins all its GPUs; otherwise they talk over PCIe
 */
public record ServerSpec(GpuType gpuType, int sockets, int gpus, boolean nvlink) {
    public ServerSpec {
        if (gpus < 1 || gpus > 64) {
            throw new IllegalArgumentException("a server has 1 to 64 GPUs, not (%d)".formatted(gpus));
        }
        if (sockets < 1 || gpus % sockets != 0) {
            throw new IllegalArgumentException(
                    "sockets (%d) must divide the server's GPUs (%d)".formatted(sockets, gpus));
        }
    }

    /** V100s over PCIe and NVLink, on two sockets where the GPUs divide by two. */
    public static ServerSpec ofV100(int gpus) {
        return new ServerSpec(GpuType.V100, gpus % 2 == 0 ? 2 : 1, gpus, true);
    }
}
