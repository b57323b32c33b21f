package org.trainyard.experiments.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;

/**
 * Lets jobs of one GPU share it in twos, memory permitting: each asks for the part of the GPU that the memory of its
 * model takes. Compute is not divided: a job beside another runs as fast as the pair does in the truth of the
 * simulation.
 */
final class GpuSharers {
    /** Least part of a GPU in thousandths, above a third: no GPU holds three jobs, for only pairs were measured. */
    private static final int LEAST_MILLI = 334;

    private final long memoryBytes;

    private GpuSharers(long memoryBytes) {
        this.memoryBytes = memoryBytes;
    }

    /** @throws InputException when a server's GPUs are not shared in fractions */
    static GpuSharers on(Topology topology) {
        long least = Long.MAX_VALUE;
        for (int server = 0; server < topology.servers(); server++) {
            if (topology.server(server).sharing() != GpuSharing.FRACTIONS) {
                throw InputException.at(
                        "workload.share_gpus",
                        true,
                        "a cluster whose servers all have sharing: fractions, unlike %s".formatted(topology.name()));
            }
            least = Math.min(least, topology.server(server).gpuType().memoryBytes());
        }
        return new GpuSharers(least);
    }

    List<TraceJob> parts(List<TraceJob> jobs) {
        return jobs.stream().map(this::part).toList();
    }

    private TraceJob part(TraceJob job) {
        if (!job.demand().equals(Demand.ofGpus(1))) {
            return job;
        }
        @Nullable ModelProfile known =
                job.model() == null ? null : ModelCatalog.standard().find(job.model());
        ModelProfile model = known == null ? ModelCatalog.standard().neutral() : known;
        long milli = (Demand.WHOLE * model.memoryBytes() + memoryBytes - 1) / memoryBytes;
        return job.demanding(job.demand().withGpuMilli((int) Math.max(LEAST_MILLI, Math.min(Demand.WHOLE, milli))));
    }
}
