package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.env.Counted;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.TraceJob;

/** The CPUs and memory that servers have and that jobs of a log demand there. */
public record HostDemands(Topology topology) {
    /**
     * By how much jobs may hold more than all servers have before a resource counts as one that jobs do not wait for.
     */
    private static final double SLACK = 1.05;

    /** Whether the CPUs or the memory of its servers have an end. */
    boolean areKnown() {
        return limits(ServerSpec::cpuMilli) || limits(ServerSpec::memoryMib);
    }

    private boolean limits(ToLongFunction<ServerSpec> amount) {
        return servers().mapToLong(amount).anyMatch(has -> has < ServerSpec.UNLIMITED);
    }

    private Stream<ServerSpec> servers() {
        return IntStream.range(0, topology.servers()).mapToObj(topology::server);
    }

    /**
     * The jobs with their demands here. O(jobs log jobs).
     *
     * @param placed jobs of the log
     * @param notes is given what is to be said
     */
    List<TraceJob> demanding(List<TraceJob> placed, List<String> notes) {
        List<TraceJob> said =
                placed.stream().filter(job -> job.of(HostShare.class) != null).toList();
        if (!areKnown() || said.isEmpty()) {
            return placed;
        }
        boolean ofCpus = binds("CPUs", 1000, said, ServerSpec::cpuMilli, HostShare::cpuMilli, notes);
        boolean ofMemory = binds("MiB of memory", 1, said, ServerSpec::memoryMib, HostShare::memoryMib, notes);
        boolean hasLoads = said.stream().anyMatch(job -> job.gpus() == 0);
        if (!hasLoads && said.stream().allMatch(job -> isWithinItsGpus(job, ofCpus, ofMemory))) {
            return placed;
        }
        List<TraceJob> jobs = new ArrayList<>();
        int loads = 0;
        for (TraceJob job : placed) {
            HostShare share = job.of(HostShare.class);
            if (share == null
                    || (job.gpus() > 0
                            && (job.demand().cpuMilli() > 0 || job.demand().memoryMib() > 0))) {
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
        return jobs;
    }

    /**
     * A job of which nobody says CPUs and memory, with those that others demand: the median for each GPU of jobs of as
     * many GPUs, or else of all.
     */
    public static TraceJob usual(TraceJob job, List<TraceJob> others) {
        if (job.gpus() == 0 || job.demand().cpuMilli() > 0 || job.demand().memoryMib() > 0) {
            return job;
        }
        List<TraceJob> withGpus =
                others.stream().filter(other -> other.gpus() > 0).toList();
        List<TraceJob> alike =
                withGpus.stream().filter(other -> other.gpus() == job.gpus()).toList();
        List<TraceJob> from = alike.isEmpty() ? withGpus : alike;
        return job.demanding(job.demand()
                .withHost(
                        job.gpus() * median(from, other -> other.demand().cpuMilli() / other.gpus()),
                        job.gpus() * median(from, other -> other.demand().memoryMib() / other.gpus())));
    }

    private static long median(List<TraceJob> jobs, ToLongFunction<TraceJob> amount) {
        long[] sorted = jobs.stream().mapToLong(amount).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
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

    /**
     * Whether jobs wait for a resource: servers have an end of it, and the jobs of the log did not hold more at once.
     */
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
