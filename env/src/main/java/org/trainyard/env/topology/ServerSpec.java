package org.trainyard.env.topology;

/**
 * What is inside a server.
 *
 * @param gpuType the type of all its GPUs; of a server without GPUs, any
 * @param sockets CPU sockets, at least one; GPUs are spread evenly over them
 * @param gpus GPUs in all, a multiple of {@code sockets}, at most 64; none in a server for host work alone
 * @param nvlink whether NVLink joins all its GPUs; otherwise they talk over PCIe
 * @param cpuMilli CPU, thousandths of a core; {@link #UNLIMITED} when it never runs out
 * @param memoryMib host memory, MiB; {@link #UNLIMITED} when it never runs out
 * @param sharing what its GPUs may be cut into
 */
public record ServerSpec(
        GpuType gpuType, int sockets, int gpus, boolean nvlink, long cpuMilli, long memoryMib, GpuSharing sharing) {
    /** Of a host resource: there is always enough. */
    public static final long UNLIMITED = Long.MAX_VALUE / 4;

    public ServerSpec {
        if (gpus < 0 || gpus > 64) {
            throw new IllegalArgumentException("a server has 0 to 64 GPUs, not (%d)".formatted(gpus));
        }
        if (sockets < 1 || gpus % sockets != 0) {
            throw new IllegalArgumentException(
                    "sockets (%d) must divide the server's GPUs (%d)".formatted(sockets, gpus));
        }
        if (cpuMilli < 0 || memoryMib < 0) {
            throw new IllegalArgumentException(
                    "CPU (%d milli) and memory (%d MiB) must not be negative".formatted(cpuMilli, memoryMib));
        }
    }

    /** A server whose GPUs are given out whole and whose host resources never run out. */
    public ServerSpec(GpuType gpuType, int sockets, int gpus, boolean nvlink) {
        this(gpuType, sockets, gpus, nvlink, UNLIMITED, UNLIMITED, GpuSharing.WHOLE);
    }

    /** V100s over PCIe and NVLink, on two sockets where the GPUs divide by two. */
    public static ServerSpec ofV100(int gpus) {
        if (gpus < 1 || gpus > 64) {
            throw new IllegalArgumentException("a server has 1 to 64 GPUs, not (%d)".formatted(gpus));
        }
        return new ServerSpec(GpuType.V100, gpus % 2 == 0 ? 2 : 1, gpus, true);
    }

    /** This server with its GPUs given out as {@code newSharing} says. */
    public ServerSpec with(GpuSharing newSharing) {
        return new ServerSpec(gpuType, sockets, gpus, nvlink, cpuMilli, memoryMib, newSharing);
    }

    /** This server with so much of the host's resources. */
    public ServerSpec withHost(long newCpuMilli, long newMemoryMib) {
        return new ServerSpec(gpuType, sockets, gpus, nvlink, newCpuMilli, newMemoryMib, sharing);
    }
}
