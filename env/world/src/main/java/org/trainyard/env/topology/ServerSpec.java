package org.trainyard.env.topology;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;

/**
 * The hardware of a server.
 *
 * @param gpuType type of all its GPUs; arbitrary for a server without GPUs
 * @param sockets CPU sockets, at least one; GPUs are spread evenly over them
 * @param gpus number of GPUs, a multiple of {@code sockets}, at most 64; 0 for a server for host jobs only
 * @param nvlink whether NVLink joins GPUs: all, when no interior says which; without, they communicate over PCIe
 * @param interior the links between its GPUs; null when all sets of GPUs have the fabric's bandwidth
 * @param cpuMilli CPU, thousandths of a core, or {@link #UNLIMITED}
 * @param memoryMib host memory, MiB, or {@link #UNLIMITED}
 * @param sharing how its GPUs are divided among jobs
 */
public record ServerSpec(
        GpuType gpuType,
        int sockets,
        int gpus,
        boolean nvlink,
        @Nullable ServerInterior interior,
        long cpuMilli,
        long memoryMib,
        GpuSharing sharing) {
    /** The amount of a host resource that never runs out. */
    public static final long UNLIMITED = Long.MAX_VALUE / 4;

    public ServerSpec {
        Invalid.when(gpus < 0 || gpus > 64, "a server has 0 to 64 GPUs, not (%d)", gpus);
        Invalid.when(
                sockets < 1 || gpus % sockets != 0, "sockets (%d) must divide the server's GPUs (%d)", sockets, gpus);
        if (cpuMilli < 0 || memoryMib < 0) {
            throw new IllegalArgumentException(
                    "CPU (%d milli) and memory (%d MiB) must not be negative".formatted(cpuMilli, memoryMib));
        }
        if (interior != null) {
            check(interior, gpus, sockets, nvlink);
        }
    }

    private static void check(ServerInterior interior, int gpus, int sockets, boolean nvlink) {
        if (interior.gpus() != gpus || interior.board().sockets() != sockets) {
            throw new IllegalArgumentException("interior (%s) is one of %d GPUs on %d sockets, not of %d on %d"
                    .formatted(interior, interior.gpus(), interior.board().sockets(), gpus, sockets));
        }
        if (interior.hasNvlink() != nvlink) {
            throw new IllegalArgumentException("interior (%s) has %s NVLink, so nvlink must not be (%s)"
                    .formatted(interior, nvlink ? "no" : "an", nvlink));
        }
    }

    /** A server with the fabric's bandwidth between all its GPUs. */
    public ServerSpec(
            GpuType gpuType, int sockets, int gpus, boolean nvlink, long cpuMilli, long memoryMib, GpuSharing sharing) {
        this(gpuType, sockets, gpus, nvlink, null, cpuMilli, memoryMib, sharing);
    }

    /** A server whose GPUs are not shared and whose host resources are unlimited. */
    public ServerSpec(GpuType gpuType, int sockets, int gpus, boolean nvlink) {
        this(gpuType, sockets, gpus, nvlink, UNLIMITED, UNLIMITED, GpuSharing.WHOLE);
    }

    /** V100s over PCIe and NVLink, on two sockets where the GPUs divide by two; none for host jobs only. */
    public static ServerSpec ofV100(int gpus) {
        return new ServerSpec(GpuType.V100, gpus % 2 == 0 ? 2 : 1, gpus, gpus > 0);
    }

    /** This server with GPUs of another type. */
    public ServerSpec with(GpuType newType) {
        return new ServerSpec(newType, sockets, gpus, nvlink, interior, cpuMilli, memoryMib, sharing);
    }

    /** This server with another way to share GPUs. */
    public ServerSpec with(GpuSharing newSharing) {
        return new ServerSpec(gpuType, sockets, gpus, nvlink, interior, cpuMilli, memoryMib, newSharing);
    }

    /** This server with limited host resources. */
    public ServerSpec withHost(long newCpuMilli, long newMemoryMib) {
        return new ServerSpec(gpuType, sockets, gpus, nvlink, interior, newCpuMilli, newMemoryMib, sharing);
    }

    /** This server with these links between its GPUs. */
    public ServerSpec with(ServerInterior newInterior) {
        return new ServerSpec(
                gpuType,
                newInterior.board().sockets(),
                newInterior.gpus(),
                newInterior.hasNvlink(),
                newInterior,
                cpuMilli,
                memoryMib,
                sharing);
    }

    /** A hash of few fields: the servers of a cluster are of few kinds. */
    @Override
    public int hashCode() {
        return 31 * gpuType.name().hashCode() + gpus;
    }
}
