package org.trainyard.experiments.simulation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.PastUsage;
import org.trainyard.agents.heuristic.slurm.SlurmLimits;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.agents.heuristic.slurm.SlurmState;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.heuristic.slurm.configuration.UnknownNames;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.Labelled;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.HeldLimits;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.trace.slurm.SlurmText;
import org.trainyard.experiments.io.InputFiles;

/**
 * The cluster of a log, with the CPUs and memory of its servers where the topology says them, or a slurm.conf. The CPUs
 * and memory that the log says of its jobs are their demands there, and jobs without GPUs hold theirs; where nothing
 * says what servers have, jobs demand GPUs alone. Limits of QOS, associations and licences that its slurm.conf enforces
 * hold for every scheduler, jobs run on the types of GPUs that their partitions have, and a preempted job waits 121 s
 * before it may start again.
 *
 * <p>Simplified: (1) a job without GPUs on several servers is as many jobs of one server, which may start apart; (2)
 * which servers of a type a partition has only Slurm heeds.
 *
 * @param files slurm.conf and the files beside it; null where there are none
 */
public record LoggedCluster(Topology topology, @Nullable SlurmFiles files) {
    /** Knowledge of the limits of QOS and associations. */
    public enum Limits implements Labelled {
        /** Limits are enforced, and every scheduler keeps them. */
        KEPT("every scheduler keeps the limits of QOS and accounts in slurm.conf"),
        /** The log names QOS or accounts, and no file says their limits. */
        UNKNOWN("the limits of QOS and accounts, under which jobs may wait longer than here"),
        NONE("");

        private final String words;

        Limits(String words) {
            this.words = words;
        }

        /** Limits that are kept, or not known, in words; empty where nothing is to be said. */
        public String words() {
            return words;
        }

        /** No sentence, or one. */
        public List<String> sentences() {
            return switch (this) {
                case KEPT -> List.of("Limits: %s.".formatted(words));
                case UNKNOWN -> List.of("Not known: %s.".formatted(words));
                case NONE -> List.of();
            };
        }
    }

    private static final String SLURM = "slurm:";

    private static final PreemptionRules REQUEUED =
            new PreemptionRules(0, 0, SlurmState.REQUEUE_DELAY * 1_000_000_000L, PreemptionRules.NO_LIMIT);

    static @Nullable Path conf(@Nullable Path log, List<String> schedulers) {
        return schedulers.stream()
                .filter(name -> name.startsWith(SLURM))
                .map(name -> Path.of(name.substring(SLURM.length())))
                .findFirst()
                .orElse(log == null ? null : log.resolveSibling("slurm.conf"));
    }

    /**
     * Names of schedulers, before them Slurm with a configuration of its own if there is one.
     *
     * @param conf a slurm.conf, or null
     * @throws InputException when it is no file
     */
    public static List<String> configured(@Nullable String conf, List<String> schedulers) {
        return conf == null
                ? schedulers
                : Stream.concat(Stream.of(SLURM + InputFiles.readable(InputFiles.path(conf))), schedulers.stream())
                        .toList();
    }

    /**
     * The cluster of a log.
     *
     * @param schedulers of which the first with a slurm.conf reads that of the cluster; without, it is the one beside
     *     the log, or the {@code nodes.json} that {@code kubectl get nodes -o json} prints
     */
    public static LoggedCluster of(Topology topology, Path log, List<String> schedulers) {
        Path conf = conf(log, schedulers);
        if (conf != null && Files.isRegularFile(conf)) {
            SlurmFiles files = SlurmFiles.read(conf.toString());
            files.require(topology);
            return new LoggedCluster(files.withHosts(topology), files);
        }
        Path nodes = log.toAbsolutePath().resolveSibling("nodes.json");
        return Files.isRegularFile(nodes)
                ? new LoggedCluster(LoggedNodes.hosts(topology, nodes))
                : new LoggedCluster(topology);
    }

    /** A cluster of which no file says more. */
    public LoggedCluster(Topology topology) {
        this(topology, null);
    }

    /** Name of the scheduler that its slurm.conf configures; null where there is none. */
    public @Nullable String scheduler() {
        return files == null ? null : SLURM + files.source();
    }

    /** The cluster that slurm.conf describes, where this is another, as a sentence after a blank; else empty. */
    String otherwise() {
        String own = files == null ? null : files.shorthand();
        return files == null || own == null || own.equals(topology.name())
                ? ""
                : " %s describes --cluster %s.".formatted(files.source(), own);
    }

    private @Nullable Supplier<HeldLimits> enforced() {
        return files == null ? null : SlurmLimits.of(files, topology);
    }

    /** Knowledge of the limits of some jobs. */
    public Limits limits(List<TraceJob> jobs) {
        boolean isNamed = jobs.stream()
                .anyMatch(job -> job.terms().qos() != null || job.terms().account() != null);
        if (files == null) {
            return isNamed ? Limits.UNKNOWN : Limits.NONE;
        }
        boolean isWhole = files.qos() != null && files.associations() != null;
        return enforced() == null ? Limits.NONE : isWhole || !isNamed ? Limits.KEPT : Limits.UNKNOWN;
    }

    /** The world in which the limits hold, and a preempted job waits as long as Slurm lets a requeued one. */
    public World limited(World world) {
        if (files == null) {
            return world;
        }
        Simulator.Options options = world.options();
        Supplier<HeldLimits> held = enforced();
        if (held != null) {
            options = options.with(new Quotas(options.quotas().gpus(), held));
        }
        return world.with(options.preemption().equals(PreemptionRules.FREE) ? options.with(REQUEUED) : options);
    }

    /** Returns a world without limits, for a Slurm that keeps those of its files by itself. */
    public static World unlimited(World world) {
        Simulator.Options options = world.options();
        if (options.quotas().limits() != null) {
            options = options.with(new Quotas(options.quotas().gpus()));
        }
        return world.with(options.preemption().equals(REQUEUED) ? options.with(PreemptionRules.FREE) : options);
    }

    /** Whether a scheduler is Slurm with files of its own. */
    public static boolean isSlurmOfFiles(String scheduler) {
        return scheduler.startsWith(SLURM);
    }

    /**
     * Schedulers for a simulation that begins at an instant: a Slurm knows what users had used until then.
     *
     * @param ran jobs with a past that is over at the instant
     */
    public static Supplier<Scheduler> after(Supplier<Scheduler> fresh, List<TraceJob> ran, long nowNanos) {
        if (!(fresh.get() instanceof SlurmScheduler slurm)) {
            return fresh;
        }
        ModelProfile model = ModelCatalog.standard().neutral();
        List<PastUsage.Run> runs = new ArrayList<>();
        for (TraceJob job : ran) {
            LoggedRun past = job.past();
            if (past != null) {
                runs.add(new PastUsage.Run(
                        WorkloadBuilder.spec(0, job, 0, model, 1),
                        past.endNanos() - job.durationNanos(),
                        past.endNanos()));
            }
        }
        PastUsage usage = slurm.usage(runs, nowNanos);
        return () -> slurm.after(usage);
    }

    /** A trace without the jobs that are never started under the limits of its files, and what is known of these. */
    public Trace startable(Trace trace) {
        LogAccount known = startable(new LogAccount(trace.jobs(), List.of(), List.of()));
        List<String> notes = new ArrayList<>();
        known.never()
                .forEach(one -> notes.add("%s %s; left out.".formatted(Counted.of(one.jobs(), "job"), one.reason())));
        notes.addAll(limits(trace.jobs()).sentences());
        return trace.with(known.jobs()).noting(notes);
    }

    /**
     * The jobs without those that are never started under the limits of its files, of partitions too, whichever
     * schedules.
     */
    public LogAccount startable(LogAccount account) {
        return files == null ? account : account.startedBy(new SlurmScheduler(files, topology));
    }

    private PartitionTypes partitions() {
        return new PartitionTypes(topology, files);
    }

    private HostDemands hosts() {
        return new HostDemands(topology);
    }

    /** Jobs that Slurm alone keeps on some servers of a type; see {@link PartitionTypes#anywhere}. */
    public String anywhere(List<TraceJob> jobs) {
        return partitions().anywhere(jobs);
    }

    /** Puts jobs on the types of GPUs that their partitions have. */
    public UnaryOperator<TraceJob> partitioned() {
        return partitions().each();
    }

    /** Whether the CPUs or the memory of its servers have an end. */
    public boolean saysHosts() {
        return hosts().areKnown();
    }

    /** The jobs whose waits count: those with GPUs where some have any; the others are loads beside them. */
    public static List<TraceJob> counted(List<TraceJob> jobs) {
        List<TraceJob> withGpus = jobs.stream().filter(job -> job.gpus() > 0).toList();
        return withGpus.isEmpty() || withGpus.size() == jobs.size() ? jobs : withGpus;
    }

    /**
     * A changed cluster, whose servers have what those of the same places have here, further ones what the last has.
     */
    public Topology extended(Topology changed) {
        if (!saysHosts() || new LoggedCluster(changed).saysHosts()) {
            return changed;
        }
        int last = topology.servers() - 1;
        List<ServerSpec> like = IntStream.range(0, changed.servers())
                .mapToObj(server -> topology.server(Math.min(server, last)))
                .toList();
        return changed.withHosts(
                like.stream().mapToLong(ServerSpec::cpuMilli).toArray(),
                like.stream().mapToLong(ServerSpec::memoryMib).toArray());
    }

    /**
     * The trace with the demands of its jobs here, and what is to be said of them. O(jobs log jobs).
     *
     * @throws InputException when the servers that its jobs name are others
     */
    public Trace demanding(Trace trace) {
        String other = files == null ? LoggedServers.contradiction(topology, trace.jobs()) : null;
        if (other != null) {
            throw InputException.at("--cluster", topology.name(), other);
        }
        List<String> notes = new ArrayList<>();
        List<TraceJob> placed = partitions().placed(trace.jobs(), notes);
        notes.addAll(unknownNames(trace.jobs()));
        List<TraceJob> jobs = hosts().demanding(placed, notes);
        return trace.with(jobs).noting(notes);
    }

    /** Sentences on names in jobs that the files of the cluster lack. */
    private List<String> unknownNames(List<TraceJob> jobs) {
        if (files == null) {
            return List.of();
        }
        UnknownNames unknown = new UnknownNames(files.on(topology));
        for (TraceJob job : jobs) {
            SubmissionTerms terms = job.terms();
            String licenses = terms.licenses() == null ? "" : terms.licenses();
            unknown.look(
                    terms.partition(),
                    terms.qos(),
                    terms.account(),
                    SlurmText.licenses("job " + job.id() + ", licenses", licenses)
                            .keySet());
        }
        return unknown.sentences();
    }
}
