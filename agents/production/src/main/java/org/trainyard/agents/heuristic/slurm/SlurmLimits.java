package org.trainyard.agents.heuristic.slurm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.HeldLimits;
import org.trainyard.env.simulation.LimitsProvider;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;

/**
 * The licences and the limits of associations and QOS of a cluster with Slurm, for every scheduler and agent of a
 * simulation, by the rule that {@code slurm} itself goes by.
 *
 * <p>Simplified: (1) a job counts as it was submitted, on the nodes and cores that {@link SimulatedJobs} says; (2) of
 * several partitions a job counts for the first that would let it start.
 */
public final class SlurmLimits implements HeldLimits {
    /** Reads a slurm.conf and the files beside it. */
    public static final class Provider implements LimitsProvider {
        @Override
        public Supplier<HeldLimits> read(String file, Topology topology) {
            SlurmFiles files = SlurmFiles.read(file);
            return () -> new SlurmLimits(files, topology);
        }
    }

    /**
     * The limits of some files, new ones for each simulation; null where they limit nothing.
     *
     * @throws org.trainyard.env.InputException when the files do not suit the topology
     */
    public static @Nullable Supplier<HeldLimits> of(SlurmFiles files, Topology topology) {
        SlurmCluster cluster = files.on(topology);
        boolean isLimited = cluster.limited() || !cluster.licenses().isEmpty();
        return isLimited ? () -> new SlurmLimits(files, topology) : null;
    }

    private final SlurmCluster cluster;
    private final SimulatedJobs translation;
    private final AccountingLimits limits;
    private final Map<Integer, SlurmJob> jobs = new HashMap<>();

    /** @throws org.trainyard.env.InputException when the files do not suit the topology */
    SlurmLimits(SlurmFiles files, Topology topology) {
        cluster = files.on(topology);
        if (!cluster.limited() && cluster.licenses().isEmpty()) {
            throw InputException.at(files.source(), "no limits", "AccountingStorageEnforce=limits, or Licenses");
        }
        translation = new SimulatedJobs(topology, cluster);
        limits = new AccountingLimits(cluster);
    }

    private SlurmJob job(JobSpec spec) {
        return jobs.computeIfAbsent(spec.id(), id -> {
            long nanos = spec.terms().limitNanos();
            SlurmJob.Request request = translation.request(spec, nanos > 0 ? nanos / 1_000_000_000L : -1);
            String account = spec.terms().account();
            SlurmJob job = new SlurmJob(request, cluster.association(account, request.user()), account, null, 0);
            job.askedSeconds = SimulatedJobs.askedSeconds(spec, request);
            return job;
        });
    }

    private @Nullable SlurmPartition allowing(SlurmJob job) {
        if (!limits.licensed(job)) {
            return null;
        }
        return job.request().partitions().stream()
                .filter(partition -> limits.allow(job, partition))
                .findFirst()
                .orElse(null);
    }

    @Override
    public boolean allows(JobSpec spec) {
        return allowing(job(spec)) != null;
    }

    @Override
    public void hold(JobSpec spec, int sign) {
        SlurmJob job = job(spec);
        SlurmPartition in = sign > 0 ? allowing(job) : null;
        job.partition = in == null ? job.partition : in;
        limits.hold(job, sign);
        if (sign < 0) {
            jobs.remove(spec.id());
        }
    }

    @Override
    public Object group(JobSpec spec) {
        SlurmJob job = job(spec);
        SlurmJob.Request request = job.request();
        return List.of(
                job.association, request.qos().name(), request.partitions(), request.nodes(), request.licenses());
    }
}
