package org.trainyard.experiments.simulation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.io.Counted;

/**
 * The cluster of a log, with the CPUs and memory of its servers where the topology says them, or a slurm.conf. The CPUs
 * and memory that the log says of its jobs are their demands there, and jobs without GPUs hold theirs; where nothing says
 * what servers have, jobs demand GPUs alone.
 *
 * <p>Simplified: a job without GPUs on several servers is as many jobs of one server, which may start apart.
 */
public record LoggedCluster(Topology topology) {
    /** By how much jobs may hold more than all servers have before a resource counts as one that jobs do not wait for. */
    private static final double SLACK = 1.05;

    private static final String SLURM = "slurm:";

    /**
     * The cluster of a log.
     *
     * @param log the file of it
     * @param schedulers of which one may read the cluster's slurm.conf; without, it is the one beside the log
     */
    public static LoggedCluster of(Topology topology, Path log, List<String> schedulers) {
        String named = schedulers.stream()
                .filter(name -> name.startsWith(SLURM))
                .map(name -> name.substring(SLURM.length()))
                .findFirst()
                .orElse(null);
        Path beside = log.toAbsolutePath().resolveSibling("slurm.conf");
        Path conf = named != null ? Path.of(named) : beside;
        return new LoggedCluster(
                Files.isRegularFile(conf) ? SlurmFiles.read(conf.toString()).withHosts(topology) : topology);
    }

    /** The jobs whose waits count: those with GPUs where some have any; the others are loads beside them. */
    public static List<TraceJob> counted(List<TraceJob> jobs) {
        List<TraceJob> withGpus = jobs.stream().filter(job -> job.gpus() > 0).toList();
        return withGpus.isEmpty() || withGpus.size() == jobs.size() ? jobs : withGpus;
    }

    /** Whether the CPUs or the memory of its servers have an end. */
    public boolean saysHosts() {
        return limits(ServerSpec::cpuMilli) || limits(ServerSpec::memoryMib);
    }

    private boolean limits(ToLongFunction<ServerSpec> amount) {
        return servers().mapToLong(amount).anyMatch(has -> has < ServerSpec.UNLIMITED);
    }

    private Stream<ServerSpec> servers() {
        return IntStream.range(0, topology.servers()).mapToObj(topology::server);
    }

    /** The trace with the demands of its jobs here, and what is to be said of them. O(jobs log jobs). */
    public Trace demanding(Trace trace) {
        List<TraceJob> said = trace.jobs().stream()
                .filter(job -> job.of(HostShare.class) != null)
                .toList();
        if (!saysHosts() || said.isEmpty()) {
            return trace;
        }
        List<String> notes = new ArrayList<>();
        boolean ofCpus = binds("CPUs", 1000, said, ServerSpec::cpuMilli, HostShare::cpuMilli, notes);
        boolean ofMemory = binds("MiB of memory", 1, said, ServerSpec::memoryMib, HostShare::memoryMib, notes);
        boolean hasLoads = said.stream().anyMatch(job -> job.gpus() == 0);
        if (!hasLoads && said.stream().allMatch(job -> isWithinItsGpus(job, ofCpus, ofMemory))) {
            return trace.noting(notes);
        }
        List<TraceJob> jobs = new ArrayList<>();
        int loads = 0;
        for (TraceJob job : trace.jobs()) {
            HostShare share = job.of(HostShare.class);
            if (share == null || (job.gpus() > 0 && (job.demand().cpuMilli() > 0 || job.demand().memoryMib() > 0))) {
                jobs.add(job);
                continue;
            }
            HostShare held = new HostShare(ofCpus ? share.cpuMilli() : 0, ofMemory ? share.memoryMib() : 0);
            if (job.gpus() > 0) {
                jobs.add(job.demanding(job.demand().withHost(held.cpuMilli(), held.memoryMib())));
            } else if (!held.equals(HostShare.NONE)) {
                addLoad(job, held, jobs);
                loads++;
            }
        }
        if (loads > 0) {
            notes.add("%s without GPUs %s CPUs and memory."
                    .formatted(Counted.of(loads, "job"), Counted.verb(loads, "hold")));
        }
        return trace.with(jobs).noting(notes);
    }

    private static void addLoad(TraceJob job, HostShare held, List<TraceJob> jobs) {
        int nodes = Math.max(1, job.terms().nodes());
        HostShare each = held.wholePart(nodes);
        Demand demand = new Demand(0, 0, 0, Demand.WHOLE, each.cpuMilli(), each.memoryMib(), false, List.of());
        for (int node = 1; node <= nodes; node++) {
            jobs.add(new TraceJob(
                    nodes == 1 ? job.id() : "%s.%d".formatted(job.id(), node),
                    job.submitNanos(),
                    demand,
                    job.durationNanos(),
                    job.model(),
                    job.user(),
                    job.group(),
                    job.virtualCluster(),
                    job.past(),
                    job.hidden(),
                    job.plan(),
                    job.attached().with(HostShare.class, each),
                    job.terms().but().nodes(0).build()));
        }
    }

    /** Whether GPUs run out before its CPUs and memory do, however jobs are placed. */
    private boolean isWithinItsGpus(TraceJob job, boolean ofCpus, boolean ofMemory) {
        HostShare share = Objects.requireNonNull(job.of(HostShare.class)).wholePart(job.gpus());
        return servers()
                .filter(server -> server.gpus() > 0)
                .allMatch(server -> (!ofCpus || share.cpuMilli() <= server.cpuMilli() / server.gpus())
                        && (!ofMemory || share.memoryMib() <= server.memoryMib() / server.gpus()));
    }

    /** Whether jobs wait for a resource: servers have an end of it, and the jobs of the log did not hold more at once. */
    private boolean binds(
            String name,
            long unit,
            List<TraceJob> jobs,
            ToLongFunction<ServerSpec> has,
            ToLongFunction<HostShare> holds,
            List<String> notes) {
        if (!limits(has)) {
            return false;
        }
        double all = servers().mapToLong(has).asDoubleStream().sum();
        double most = mostAtOnce(jobs, holds);
        if (most > SLACK * all) {
            notes.add("Jobs held up to %,.0f %s at once, of which %s has %,.0f; they do not wait for them here."
                    .formatted(most / unit, name, topology.name(), all / unit));
        }
        return most <= SLACK * all;
    }

    /** The most that jobs of the log held at once, as far as it says when they ran. */
    private static double mostAtOnce(List<TraceJob> jobs, ToLongFunction<HostShare> holds) {
        List<TraceJob> ran = jobs.stream().filter(job -> job.past() != null).toList();
        long[][] changes = new long[2 * ran.size()][];
        for (int i = 0; i < ran.size(); i++) {
            TraceJob job = ran.get(i);
            long amount = holds.applyAsLong(Objects.requireNonNull(job.of(HostShare.class)));
            long start = Objects.requireNonNull(job.past()).startNanos();
            changes[2 * i] = new long[] {start, amount};
            changes[2 * i + 1] = new long[] {start + job.durationNanos(), -amount};
        }
        Arrays.sort(changes, (a, b) -> a[0] == b[0] ? Long.compare(a[1], b[1]) : Long.compare(a[0], b[0]));
        double held = 0;
        double most = 0;
        for (long[] change : changes) {
            held += change[1];
            most = Math.max(most, held);
        }
        return most;
    }
}
