package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.PastUsage;
import org.trainyard.agents.heuristic.slurm.SlurmLimits;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.agents.heuristic.slurm.SlurmState;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.UnknownNames;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.HeldLimits;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.trace.kubernetes.Quantity;
import org.trainyard.env.workload.trace.slurm.SlurmText;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;

/**
 * The cluster of a log, with the CPUs and memory of its servers where the topology says them, or a slurm.conf. The CPUs
 * and memory that the log says of its jobs are their demands there, and jobs without GPUs hold theirs; where nothing says
 * what servers have, jobs demand GPUs alone. Limits of QOS, associations and licences that its slurm.conf enforces hold
 * for every scheduler, jobs run on the types of GPUs that their partitions have, and a preempted job waits 121 s before it
 * may start again.
 *
 * <p>Simplified: (1) a job without GPUs on several servers is as many jobs of one server, which may start apart; (2)
 * which servers of a type a partition has only Slurm heeds.
 *
 * @param files slurm.conf and the files beside it; null where there are none
 */
public record LoggedCluster(Topology topology, @Nullable SlurmFiles files) {
    /** What is known of the limits of QOS and associations. */
    public enum Limits {
        /** They are enforced, and every scheduler keeps them. */
        KEPT("every scheduler keeps the limits of QOS and accounts in slurm.conf"),
        /** The log names QOS or accounts, and no file says their limits. */
        UNKNOWN("the limits of QOS and accounts, under which jobs may wait longer than here"),
        NONE("");

        private final String words;

        Limits(String words) {
            this.words = words;
        }

        /** One word. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** What is kept, or not known; empty where nothing is to be said. */
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

    /** By how much jobs may hold more than all servers have before a resource counts as one that jobs do not wait for. */
    private static final double SLACK = 1.05;

    private static final String SLURM = "slurm:";

    private static final PreemptionRules REQUEUED =
            new PreemptionRules(0, 0, SlurmState.REQUEUE_DELAY * 1_000_000_000L, PreemptionRules.NO_LIMIT);

    private static @Nullable Path conf(@Nullable Path log, List<String> schedulers) {
        return schedulers.stream()
                .filter(name -> name.startsWith(SLURM))
                .map(name -> Path.of(name.substring(SLURM.length())))
                .findFirst()
                .orElse(log == null ? null : log.resolveSibling("slurm.conf"));
    }

    /**
     * The text of a log's cluster: as the user gives it, or as a slurm.conf says that is given in its place, or that stands
     * beside the log where nothing is given.
     *
     * @param log null for a live cluster
     * @param told is given a sentence where a slurm.conf says it
     * @return null where nothing says it
     * @throws InputException when the slurm.conf has no shorthand
     */
    public static @Nullable String named(
            @Nullable String given, @Nullable Path log, List<String> schedulers, Consumer<String> told) {
        Path conf = given == null ? conf(log, schedulers) : InputFiles.path(given);
        if (conf == null || !Files.isRegularFile(conf) || (given != null && !SlurmFiles.isOne(conf))) {
            return given;
        }
        String own = SlurmFiles.read(conf.toString()).shorthand();
        if (own == null || own.endsWith("=SPEED") || own.contains("=SPEED+")) {
            throw InputException.at(
                    "--cluster",
                    given == null ? "nothing" : given,
                    own == null
                            ? "a shorthand or a topology file, for %s names no nodes, or several types of GPUs on one"
                                    .formatted(conf)
                            : own + ", with a number for SPEED: how fast the type is against a V100");
        }
        told.accept("note: --cluster %s, as %s says".formatted(own, conf));
        return own;
    }

    /** The text of a log's cluster, as above; where nothing says it, the command is refused. */
    public static String required(
            @Nullable String given, @Nullable Path log, List<String> schedulers, Consumer<String> told) {
        String named = named(given, log, schedulers, told);
        if (named == null) {
            throw InputException.at(
                    "--cluster",
                    "nothing",
                    "the cluster of the log, such as 24x8:H100, or a slurm.conf beside the log");
        }
        return named;
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
     * @param schedulers of which the first with a slurm.conf reads that of the cluster; without, it is the one beside the log, or the
     *     {@code nodes.json} that {@code kubectl get nodes -o json} prints
     */
    public static LoggedCluster of(Topology topology, Path log, List<String> schedulers) {
        Path conf = conf(log, schedulers);
        if (conf != null && Files.isRegularFile(conf)) {
            SlurmFiles files = SlurmFiles.read(conf.toString());
            files.require(topology);
            return new LoggedCluster(files.withHosts(topology), files);
        }
        Path nodes = log.toAbsolutePath().resolveSibling("nodes.json");
        return Files.isRegularFile(nodes) ? new LoggedCluster(topology).with(nodes) : new LoggedCluster(topology);
    }

    /** With the CPU and memory that nodes with GPUs can give to pods, where there are as many with as many GPUs. */
    private LoggedCluster with(Path file) {
        List<JsonNode> nodes = new ArrayList<>();
        JsonNode list;
        try {
            list = JsonText.read(InputFiles.text(file));
        } catch (IllegalArgumentException e) {
            throw InputException.at(
                    file.toString(), String.valueOf(e.getMessage()), "what kubectl get nodes -o json prints");
        }
        for (JsonNode node : list.path("items")) {
            if (gpus(node) > 0) {
                nodes.add(node);
            }
        }
        nodes.sort(
                Comparator.comparing(node -> node.path("metadata").path("name").asText(), LoggedServers.IN_ORDER));
        boolean isAs = nodes.size() == topology.servers()
                && IntStream.range(0, nodes.size()).allMatch(at -> gpus(nodes.get(at)) == topology.gpusOn(at));
        return isAs && !saysHosts()
                ? new LoggedCluster(topology.withHosts(
                        nodes.stream()
                                .mapToLong(node -> amount(file, node, "cpu"))
                                .toArray(),
                        nodes.stream()
                                .mapToLong(node -> amount(file, node, "memory") >> 20)
                                .toArray()))
                : this;
    }

    private static long gpus(JsonNode node) {
        long gpus = 0;
        for (Map.Entry<String, JsonNode> one :
                node.path("status").path("allocatable").properties()) {
            gpus += one.getKey().endsWith("/gpu") ? one.getValue().asLong() : 0;
        }
        return gpus;
    }

    private static long amount(Path file, JsonNode node, String resource) {
        JsonNode amount = node.path("status").path("allocatable").path(resource);
        return amount.isMissingNode()
                ? ServerSpec.UNLIMITED
                : Quantity.of(file + ", allocatable." + resource, resource, amount.asText());
    }

    /** A cluster of which no file says more. */
    public LoggedCluster(Topology topology) {
        this(topology, null);
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

    /** What is known of the limits of some jobs. */
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

    /** The same world without them, for a Slurm that keeps those of its files by itself. */
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

    /** The jobs without those that are never started under the limits of its files, of partitions too, whichever schedules. */
    public LogAccount startable(LogAccount account) {
        return files == null ? account : account.startedBy(new SlurmScheduler(files, topology));
    }

    /** The jobs of partitions on the types of GPUs that these have, and what is to be said of partitions. */
    private List<TraceJob> inPartitions(List<TraceJob> jobs, List<String> notes) {
        if (files == null || jobs.stream().allMatch(job -> job.terms().partition() == null)) {
            return jobs;
        }
        String free = anywhere(jobs);
        if (!free.isEmpty()) {
            notes.add(
                    "%s, which has some of the servers of a type: under schedulers other than Slurm they run on any of the type."
                            .formatted(free));
        }
        return jobs.stream().map(partitioned()).toList();
    }

    /**
     * The jobs of partitions with some of the servers of a type, which only Slurm heeds, such as {@code 3 jobs of partition
     * debug}; empty without any.
     */
    public String anywhere(List<TraceJob> jobs) {
        Set<String> partial = new TreeSet<>();
        typesOf(partial);
        long free = jobs.stream()
                .filter(job -> partial.contains(String.valueOf(job.terms().partition())))
                .count();
        return free == 0 ? "" : "%s of partition %s".formatted(Counted.of(free, "job"), String.join(", ", partial));
    }

    /** Puts jobs on the types of GPUs that their partitions have. */
    public UnaryOperator<TraceJob> partitioned() {
        Map<String, List<String>> typesOf = typesOf(new TreeSet<>());
        return job -> inPartition(job, typesOf);
    }

    /**
     * The types of GPUs of each partition; none of one with all types.
     *
     * @param partial is given the partitions with some of the servers of a type
     */
    private Map<String, List<String>> typesOf(Set<String> partial) {
        Map<String, List<String>> typesOf = new HashMap<>();
        if (files == null) {
            return typesOf;
        }
        SlurmCluster cluster = files.on(topology);
        Set<String> all = types(cluster.nodes().size(), node -> true);
        for (SlurmPartition partition : cluster.partitions()) {
            Set<String> types = types(cluster.nodes().size(), partition.nodes()::get);
            boolean isAll = IntStream.range(0, topology.servers())
                    .filter(server -> types.contains(type(server)))
                    .allMatch(partition.nodes()::get);
            typesOf.put(partition.name(), types.equals(all) ? List.of() : List.copyOf(types));
            if (!isAll) {
                partial.add(partition.name());
            }
        }
        return typesOf;
    }

    private String type(int server) {
        return topology.server(server).gpuType().name();
    }

    private Set<String> types(int nodes, IntPredicate isOne) {
        return IntStream.range(0, nodes)
                .filter(isOne)
                .mapToObj(this::type)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static TraceJob inPartition(TraceJob job, Map<String, List<String>> typesOf) {
        String named = job.terms().partition();
        if (named == null || job.gpus() == 0) {
            return job;
        }
        Set<String> types = new TreeSet<>();
        for (String partition : named.split(",", -1)) {
            List<String> some = typesOf.getOrDefault(partition, List.of());
            if (some.isEmpty()) {
                return job;
            }
            types.addAll(some);
        }
        Demand demand = job.demand();
        if (!demand.gpuTypes().isEmpty()) {
            types.removeIf(type -> !demand.allows(type));
        }
        return types.isEmpty() ? job : job.demanding(demand.onTypes(List.copyOf(types)));
    }

    /** The jobs whose waits count: those with GPUs where some have any; the others are loads beside them. */
    public static List<TraceJob> counted(List<TraceJob> jobs) {
        List<TraceJob> withGpus = jobs.stream().filter(job -> job.gpus() > 0).toList();
        return withGpus.isEmpty() || withGpus.size() == jobs.size() ? jobs : withGpus;
    }

    /**
     * A job of which nobody says CPUs and memory, with those that others demand: the median for each GPU of jobs of as many
     * GPUs, or else of all.
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

    /** A changed cluster, whose servers have what those of the same places have here, further ones what the last has. */
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
        List<TraceJob> said = trace.jobs().stream()
                .filter(job -> job.of(HostShare.class) != null)
                .toList();
        List<String> notes = new ArrayList<>();
        List<TraceJob> placed = inPartitions(trace.jobs(), notes);
        notes.addAll(unknownNames(trace.jobs()));
        if (!saysHosts() || said.isEmpty()) {
            return trace.with(placed).noting(notes);
        }
        boolean ofCpus = binds("CPUs", 1000, said, ServerSpec::cpuMilli, HostShare::cpuMilli, notes);
        boolean ofMemory = binds("MiB of memory", 1, said, ServerSpec::memoryMib, HostShare::memoryMib, notes);
        boolean hasLoads = said.stream().anyMatch(job -> job.gpus() == 0);
        if (!hasLoads && said.stream().allMatch(job -> isWithinItsGpus(job, ofCpus, ofMemory))) {
            return trace.with(placed).noting(notes);
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
        return trace.with(jobs).noting(notes);
    }

    /** What is said of names in jobs that the files of the cluster lack. */
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
