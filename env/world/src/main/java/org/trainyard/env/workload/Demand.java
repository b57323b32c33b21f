package org.trainyard.env.workload;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Invalid;
import org.trainyard.env.topology.ServerSpec;

/**
 * The resources that a job must hold to run: GPUs for its workers, and host CPU and memory.
 *
 * @param gpus GPUs it was submitted for, one per worker; 0 for a job without GPUs
 * @param minGpus the fewest it can run on; {@code gpus} unless it is elastic
 * @param maxGpus the most it can use; {@code gpus} unless it is elastic
 * @param gpuMilli the part of each GPU it needs, in thousandths; 1000 is the whole GPU
 * @param cpuMilli host CPU of the whole job on {@code gpus} GPUs, thousandths of a core, divided evenly among its
 *     workers
 * @param memoryMib host memory of the whole job, MiB, divided likewise
 * @param oneServer whether all workers must be on one server
 * @param gpuTypes names of the GPU types it can run on; empty for any
 * @param segment of how many GPUs a segment is that no rack border may cut: of every rack the job holds whole segments,
 *     as of {@code --segment} under Slurm's {@code topology/block}; 0 for a job that any border may cut
 * @param lastsNanos for how long its servers must stay in service, beside planned maintenance of some servers; 0 for no
 *     matter how long
 */
public record Demand(
        int gpus,
        int minGpus,
        int maxGpus,
        int gpuMilli,
        long cpuMilli,
        long memoryMib,
        boolean oneServer,
        List<String> gpuTypes,
        int segment,
        long lastsNanos) {
    /** A whole GPU, in the unit of {@code gpuMilli}. */
    public static final int WHOLE = 1000;

    public Demand {
        Invalid.when(gpus < 0, "GPUs (%d) must not be negative", gpus);
        if (minGpus > gpus || gpus > maxGpus || (gpus > 0 && minGpus < 1)) {
            throw new IllegalArgumentException(
                    "GPUs (%d) must lie between the fewest (%d, at least 1) and the most (%d)"
                            .formatted(gpus, minGpus, maxGpus));
        }
        Invalid.when(gpuMilli < 1 || gpuMilli > WHOLE, "part of a GPU (%d milli) must be 1 to 1000", gpuMilli);
        if (cpuMilli < 0 || memoryMib < 0) {
            throw new IllegalArgumentException(
                    "CPU (%d milli) and memory (%d MiB) must not be negative".formatted(cpuMilli, memoryMib));
        }
        if (gpus == 0 && cpuMilli == 0 && memoryMib == 0) {
            throw new IllegalArgumentException("GPUs (0) must be at least 1 for a job that needs nothing else");
        }
        if (segment < 0 || (segment > 0 && (minGpus < maxGpus || gpus % segment > 0 || gpuMilli < WHOLE))) {
            throw new IllegalArgumentException(
                    "segment (%d) must divide a fixed number of whole GPUs (%d)".formatted(segment, gpus));
        }
        gpuTypes = gpuTypes.size() < 2
                ? List.copyOf(gpuTypes)
                : gpuTypes.stream().distinct().sorted().toList();
    }

    /** A demand without segments, no matter for how long. */
    public Demand(
            int gpus,
            int minGpus,
            int maxGpus,
            int gpuMilli,
            long cpuMilli,
            long memoryMib,
            boolean oneServer,
            List<String> gpuTypes) {
        this(gpus, minGpus, maxGpus, gpuMilli, cpuMilli, memoryMib, oneServer, gpuTypes, 0, 0);
    }

    // Written out: what a record makes for these at their first call takes a good part of a short command.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Demand demand
                && gpus == demand.gpus
                && minGpus == demand.minGpus
                && maxGpus == demand.maxGpus
                && gpuMilli == demand.gpuMilli
                && cpuMilli == demand.cpuMilli
                && memoryMib == demand.memoryMib
                && oneServer == demand.oneServer
                && segment == demand.segment
                && lastsNanos == demand.lastsNanos
                && gpuTypes.equals(demand.gpuTypes);
    }

    @Override
    public int hashCode() {
        int hash = 31 * (31 * (31 * gpus + minGpus) + maxGpus) + gpuMilli;
        hash = 31 * (31 * hash + Long.hashCode(cpuMilli)) + Long.hashCode(memoryMib);
        return 31 * (31 * hash + Boolean.hashCode(oneServer))
                + gpuTypes.hashCode()
                + segment
                + Long.hashCode(lastsNanos);
    }

    /** A fixed number of whole GPUs of any type on any servers, and no host resources. */
    public static Demand ofGpus(int gpus) {
        return new Demand(gpus, gpus, gpus, WHOLE, 0, 0, false, List.of());
    }

    /** GPUs of all workers together, where a part of a GPU counts as that part. */
    public double gpuAmount() {
        return gpus * (double) gpuMilli / WHOLE;
    }

    /** This demand as an elastic one, for any number of GPUs from {@code fewest} to {@code most}. */
    public Demand elastic(int fewest, int most) {
        return new Demand(gpus, fewest, most, gpuMilli, cpuMilli, memoryMib, oneServer, gpuTypes, segment, lastsNanos);
    }

    /** This demand with only a part of each GPU. */
    public Demand withGpuMilli(int milli) {
        return new Demand(gpus, minGpus, maxGpus, milli, cpuMilli, memoryMib, oneServer, gpuTypes, segment, lastsNanos);
    }

    /** This demand with host resources for the whole job. */
    public Demand withHost(long newCpuMilli, long newMemoryMib) {
        return new Demand(
                gpus, minGpus, maxGpus, gpuMilli, newCpuMilli, newMemoryMib, oneServer, gpuTypes, segment, lastsNanos);
    }

    public Demand onOneServer() {
        return new Demand(gpus, minGpus, maxGpus, gpuMilli, cpuMilli, memoryMib, true, gpuTypes, segment, lastsNanos);
    }

    /** This demand on GPUs of these types alone. */
    public Demand onTypes(List<String> types) {
        return new Demand(gpus, minGpus, maxGpus, gpuMilli, cpuMilli, memoryMib, oneServer, types, segment, lastsNanos);
    }

    public Demand inSegments(int gpusOfSegment) {
        return new Demand(
                gpus, minGpus, maxGpus, gpuMilli, cpuMilli, memoryMib, oneServer, gpuTypes, gpusOfSegment, lastsNanos);
    }

    /** This demand on servers that stay in service for so long. */
    public Demand lasting(long nanos) {
        return new Demand(gpus, minGpus, maxGpus, gpuMilli, cpuMilli, memoryMib, oneServer, gpuTypes, segment, nanos);
    }

    /**
     * Whether it is for whole GPUs of any type on any servers, no matter for how long, and for neither host resources
     * nor segments: the common case, which has fast paths.
     */
    public boolean isPlain() {
        return isOfGpusAlone() && !oneServer && gpuTypes.isEmpty() && segment == 0 && lastsNanos == 0;
    }

    /**
     * Whether it is for whole GPUs and no host resources: a server has room for as many workers as it has free GPUs, or
     * for none.
     */
    public boolean isOfGpusAlone() {
        return gpus > 0 && gpuMilli == WHOLE && cpuMilli == 0 && memoryMib == 0;
    }

    /**
     * The first part of this demand that is no fixed number of whole GPUs, as a column of a trace and its value; null
     * when there is none: agents place such demands, on GPUs of their types and with their host resources.
     */
    public @Nullable String notFixedGpus() {
        if (gpus == 0) {
            return "gpus 0";
        } else if (gpuMilli != WHOLE) {
            return "gpu_milli " + gpuMilli;
        } else if (segment > 0) {
            return "segment " + segment;
        }
        return isElastic() ? "min_gpus %d, max_gpus %d".formatted(minGpus, maxGpus) : null;
    }

    /**
     * The first part of this demand beyond a fixed number of whole GPUs of any type on any servers, as a column of a
     * trace and its value; null when there is none.
     */
    public @Nullable String notWholeGpus() {
        String notFixed = notFixedGpus();
        if (notFixed != null) {
            return notFixed;
        } else if (cpuMilli > 0) {
            return "cpu_milli " + cpuMilli;
        } else if (memoryMib > 0) {
            return "memory_mib " + memoryMib;
        } else if (oneServer) {
            return "one_server 1";
        }
        return gpuTypes.isEmpty() ? null : "gpu_types " + String.join("|", gpuTypes);
    }

    public boolean isElastic() {
        return minGpus < maxGpus;
    }

    /** Host CPU of so many of its workers, rounded up, thousandths of a core; all of it for a job without GPUs. */
    public long cpuMilliOf(int workers) {
        return gpus == 0 ? cpuMilli : ceilDiv(cpuMilli * workers, gpus);
    }

    /** The host CPU and memory of all workers. */
    public HostShare host() {
        return new HostShare(cpuMilli, memoryMib);
    }

    /** Host memory of so many of its workers, rounded up, MiB. */
    public long memoryMibOf(int workers) {
        return gpus == 0 ? memoryMib : ceilDiv(memoryMib * workers, gpus);
    }

    private static long ceilDiv(long a, int b) {
        return -Math.floorDiv(-a, b);
    }

    /** The number of its workers for which an empty server has room; of a demand without GPUs, one or none. */
    public int workersOn(ServerSpec server) {
        int most = gpus == 0 ? 1 : allows(server.gpuType().name()) ? server.gpus() : 0;
        while (most > 0 && (cpuMilliOf(most) > server.cpuMilli() || memoryMibOf(most) > server.memoryMib())) {
            most--;
        }
        return most;
    }

    /** Whether it can run on GPUs of that type. */
    public boolean allows(String gpuType) {
        return gpuTypes.isEmpty() || gpuTypes.contains(gpuType);
    }
}
