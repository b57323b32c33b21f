package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.agents.heuristic.placing.ConsolidatingPlacer;
import org.trainyard.agents.heuristic.slurm.SlurmLimits;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.Counted;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;
import org.trainyard.experiments.timeline.RunRecorder;
import org.trainyard.experiments.traces.LoggedDurations;

/**
 * Replays a log under schedulers. Every job runs exactly as long as it did: a logged duration already contains its
 * neighbours and links, so nothing slows it down twice. Outcomes are those of the jobs that count by
 * {@link LoggedCluster#counted}.
 */
public final class LogReplays {
    /** Suffix to the name of a scheduler that was told the true run times. */
    static final String TOLD = " (knowing run times)";

    /** Suffix to the name of a scheduler that starts gangs on no more servers than they need. */
    static final String NARROW = " (gangs on the fewest servers)";

    /** Prefix to settings of the cluster's own Slurm, in brackets. */
    static final String SETTING = "slurm (";

    private static final Pattern WEIGHT = Pattern.compile("(?i)\\s*(PriorityWeight\\w+)\\s*=\\s*[1-9]\\d*\\s*(#.*)?");
    private static final String EASY = "bf_job_part_count_reserve=1";
    private static final Pattern EASY_LINE =
            Pattern.compile("(?i)\\s*SchedulerParameters\\s*=(?:.*,)?\\s*" + EASY + "\\s*(?:[,#].*)?");
    private static final Set<String> FLOORS = Set.of("random");

    /**
     * A run to be made.
     *
     * @param isTold whether predicted run times are the true ones, in place of those of finished jobs of the same group
     *     or user
     * @param preempts whether it may take GPUs from running jobs
     * @param limits the time limits that it is told
     * @param keepsLimits whether it keeps the limits of QOS and associations by itself, as Slurm with files does
     * @param restartSeconds cost of a restart after a preemption
     */
    public record Candidate(
            String name,
            boolean isTold,
            boolean preempts,
            LoggedDurations.Told limits,
            boolean keepsLimits,
            double restartSeconds,
            IntFunction<Scheduler> fresh) {
        /** Slurm with its files. */
        public static Candidate slurm(String name, SlurmFiles files, Topology topology, double restartSeconds) {
            return new Candidate(
                    name,
                    false,
                    files.preempts(),
                    files.preempts() ? LoggedDurations.Told.LIMITS_OF_EACH_RUN : LoggedDurations.Told.LIMITS,
                    SlurmLimits.of(files, topology) != null,
                    restartSeconds,
                    run -> new SlurmScheduler(files, topology));
        }

        /** Returns this candidate under another name. */
        Candidate named(String other) {
            return new Candidate(other, isTold, preempts, limits, keepsLimits, restartSeconds, fresh);
        }

        /** Returns this candidate where restarts cost more or less, under a name that says so. */
        Candidate restartingIn(double seconds) {
            return new Candidate(
                    "%s (restarts of %s)".formatted(name, Durations.human(seconds)),
                    isTold,
                    preempts,
                    limits,
                    keepsLimits,
                    seconds,
                    fresh);
        }
    }

    private final World world;
    private final ThreadWorkerPool workers;
    private final Limits limits;
    private final @Nullable String own;
    private double delaySeconds;
    private final Map<String, LogOutcome> unscaled = new ConcurrentHashMap<>();
    private final Map<String, String> stopped = new ConcurrentSkipListMap<>();

    /**
     * @param folder keeps replays; null for memory alone
     * @param seconds of processor time that a replay may take
     * @param ownSeconds the same under what the cluster's own files configure, with which all others are compared
     * @param restartSeconds cost of a restart after a preemption
     */
    public record Limits(@Nullable ReplayFolder folder, double seconds, double ownSeconds, double restartSeconds) {
        /** The longest time by default. */
        public static final double MOST = 300;

        private static final double LEAST = 12;
        private static final double JOBS_A_SECOND = 1250;

        /** Limits that are the same for all schedulers. */
        public Limits(@Nullable ReplayFolder folder, double seconds, double restartSeconds) {
            this(folder, seconds, seconds, restartSeconds);
        }

        /**
         * Limits by the size of a log, with which schedulers whose replays are slow by nature do not hold up an answer:
         * a minute of processor time for 75,000 jobs, at least 12 s and at most 5 min, which the cluster's own
         * scheduler always has.
         */
        public static Limits forJobs(int jobs, @Nullable ReplayFolder folder, double restartSeconds) {
            double most = Math.max(LEAST, Math.min(MOST, jobs / JOBS_A_SECOND));
            return new Limits(folder, most, MOST, restartSeconds);
        }

        double secondsOf(String scheduler) {
            return isOwn(scheduler) ? ownSeconds : seconds;
        }
    }

    /**
     * The world of replays: jobs run as long as logged, whoever runs beside them, and schedulers expect no more; they
     * are told run times of finished jobs of the same group or user.
     */
    public static World world(Topology topology, long seed) {
        return World.rated(topology, Simulator.Options.DEFAULT, seed)
                .telling(RuntimePredictors.of(new RuntimeConfig.History(), seed));
    }

    /**
     * @param own the scheduler that the cluster's own files configure, a candidate beside those of the registry; or
     *     null
     */
    LogReplays(World world, ThreadWorkerPool workers, Limits limits, @Nullable String own) {
        this.world = world;
        this.workers = workers;
        this.limits = limits;
        this.own = own;
    }

    /** Sets the time between a decision and the start, seconds. */
    LogReplays delayed(double seconds) {
        delaySeconds = seconds;
        return this;
    }

    /** The scheduler that the cluster's own files configure, or null. */
    @Nullable String own() {
        return own;
    }

    /** Whether a scheduler is what files of the cluster configure. */
    static boolean isOwn(String name) {
        return LoggedCluster.isSlurmOfFiles(name) || name.startsWith("kueue:");
    }

    /** Why the replays of schedulers did not end, by name in alphabetical order; they are not tried again. */
    Map<String, String> stopped() {
        return Collections.unmodifiableMap(stopped);
    }

    /**
     * The jobs that fit on the cluster, with types of GPUs named as there, without those that the cluster's own
     * scheduler never starts: schedulers are compared on the same jobs.
     */
    public List<TraceJob> fitting(List<TraceJob> jobs) {
        return account(jobs, List.of()).jobs();
    }

    /**
     * The jobs that fit and that the cluster's own scheduler may start, and those that are left out.
     *
     * @param before those that the reader left out
     */
    LogAccount account(List<TraceJob> jobs, List<LeftOut> before) {
        LogAccount fitting = LogAccount.of(world.topology(), jobs, before);
        if (own == null || fitting.jobs().isEmpty()) {
            return fitting;
        }
        LogAccount known = fitting.startedBy(SchedulerRegistry.named(own).create(world));
        return own.startsWith("slurm:") ? known : known.without(rejected(own, known.jobs()));
    }

    /**
     * By id, why a scheduler that does not know it before a run turned jobs away in one, as far as its limit lets it
     * run.
     */
    private Map<String, String> rejected(String name, List<TraceJob> jobs) {
        Map<String, String> reasons = new HashMap<>();
        Workload workload = log(jobs, 1).unlimited;
        Simulator simulator = simulator(world, workload, limits.restartSeconds, false, null);
        try (ReplayProgress progress = new ReplayProgress("find jobs that never start", 1, jobs.size())) {
            new ReplayWatch(simulator, workload, limits.ownSeconds, limits.restartSeconds, progress)
                    .runs(SchedulerRegistry.named(name).create(world));
        }
        simulator.result().rejected().forEach(job -> reasons.put(job.job().name(), job.reason()));
        return reasons;
    }

    private static Simulator simulator(
            World of, Workload workload, double restartSeconds, boolean isTold, @Nullable EventSink sink) {
        return of.telling(isTold ? RuntimePredictor::oracle : of.predictors())
                .with(of.options().with(new RestartCost.Fixed(restartSeconds)))
                .simulator(workload, sink);
    }

    /**
     * The schedulers of the registry that can run these jobs: no presets that replay other simulators, no variants by
     * placer, no floor. For a search of the past there are more: those that read predictions a second time, told the
     * true run times, and orders that wait for the fewest servers.
     */
    List<Candidate> registered(List<TraceJob> jobs, boolean isSearch) {
        List<Candidate> candidates = new ArrayList<>();
        List<SchedulerRegistry.Entry> entries = new ArrayList<>(SchedulerRegistry.entries());
        if (own != null) {
            entries.add(SchedulerRegistry.named(own));
        }
        for (SchedulerRegistry.Entry entry : entries) {
            boolean isOne = !entry.replaysTrace()
                    && (entry.name().equals(own) || !entry.name().contains("/"))
                    && !FLOORS.contains(entry.name());
            if (isOne && jobs.stream().allMatch(job -> entry.serves(job.demand()))) {
                candidates.add(candidate(entry, entry.name(), false));
                if (isSearch && entry.has(SchedulerRegistry.Flag.NEEDS_PREDICTIONS)) {
                    candidates.add(candidate(entry, entry.name() + TOLD, true));
                }
            }
        }
        if (isSearch) {
            candidates.addAll(narrow());
            if (jobs.stream().anyMatch(job -> job.terms().limitNanos() > 0)) {
                for (CommonSlurm slurm : CommonSlurm.values()) {
                    candidates.add(
                            Candidate.slurm(slurm.words(), slurm.files(), world.topology(), limits.restartSeconds));
                }
            }
        }
        return candidates;
    }

    /**
     * The cluster's own Slurm with other settings: in order of submission, without one of its weights, and with one
     * reservation for each partition (EASY backfill) where it has others; each named by its line of slurm.conf, or its
     * key of SchedulerParameters. None where the cluster has no slurm.conf.
     */
    List<Candidate> settings() {
        if (own == null || !LoggedCluster.isSlurmOfFiles(own)) {
            return List.of();
        }
        SlurmFiles files = SlurmFiles.read(own.substring(own.indexOf(':') + 1));
        List<WhatIf> changes = new ArrayList<>(
                List.of(change("PriorityType=priority/basic", Map.of(), Map.of("PriorityType", "priority/basic"))));
        if (files.conf().stream().noneMatch(line -> EASY_LINE.matcher(line).matches())) {
            changes.add(change(EASY, Map.of("bf_job_part_count_reserve", "1"), Map.of()));
        }
        for (String line : files.conf()) {
            Matcher weight = WEIGHT.matcher(line);
            if (weight.matches()) {
                String key = weight.group(1);
                changes.add(change(key + "=0", Map.of(), Map.of(key, "0")));
            }
        }
        return changes.stream()
                .map(one -> Candidate.slurm(
                        SETTING + one.text() + ")", one.files(files), world.topology(), limits.restartSeconds))
                .toList();
    }

    private static WhatIf change(String text, Map<String, String> parameters, Map<String, String> lines) {
        return WhatIf.ofSlurm(text, parameters, lines);
    }

    private List<Candidate> narrow() {
        return List.of(
                candidate("fifo" + NARROW, false, run -> new Fifo(false, new NarrowFit())),
                candidate("fifo-backfill" + NARROW, false, run -> new Fifo(true, new NarrowFit())),
                candidate("sjf" + NARROW, false, run -> new Sjf(new NarrowFit())),
                candidate("sjf" + NARROW + TOLD, true, run -> new Sjf(new NarrowFit())));
    }

    private Candidate candidate(String name, boolean isTold, IntFunction<Scheduler> fresh) {
        return new Candidate(name, isTold, false, LoggedDurations.Told.LIMITS, false, limits.restartSeconds, fresh);
    }

    /** A scheduler of the registry. */
    Candidate candidate(SchedulerRegistry.Entry entry, String name, boolean isTold) {
        return new Candidate(
                name,
                isTold,
                entry.takesGpus(),
                LoggedDurations.Told.to(entry),
                LoggedCluster.isSlurmOfFiles(entry.name()),
                limits.restartSeconds,
                run -> entry.create(world));
    }

    /** A trained policy whose agents own a rack each and may preempt. */
    Candidate learned(String name, BidPolicy policy) {
        Deployment deployment = new Deployment(world.topology(), Domains.racks(world.topology()), true, world.belief());
        return new Candidate(
                name,
                false,
                true,
                LoggedDurations.Told.NONE,
                false,
                limits.restartSeconds,
                run -> policy.scheduler(deployment));
    }

    /**
     * The log under each candidate that ends within the limit, in their order. Replays that were made before are not
     * made again.
     *
     * @param task names the work in the progress
     * @param durationFactor by which all durations are multiplied
     */
    public List<LogOutcome> run(String task, List<Candidate> candidates, List<TraceJob> jobs, double durationFactor) {
        Log log = log(jobs, durationFactor);
        try (ReplayProgress progress = new ReplayProgress(task, candidates.size(), jobs.size())) {
            return workers
                    .map(
                            candidates.size(),
                            i -> Optional.ofNullable(found(candidates.get(i), log, durationFactor, progress)))
                    .stream()
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    /** The log under one candidate, or null when it takes longer than the limit. */
    @Nullable LogOutcome run(Candidate candidate, List<TraceJob> jobs, double durationFactor, ReplayProgress progress) {
        return found(candidate, log(jobs, durationFactor), durationFactor, progress);
    }

    private @Nullable LogOutcome found(Candidate candidate, Log log, double durationFactor, ReplayProgress progress) {
        String name = candidate.name;
        LogOutcome known = stopped.containsKey(name) || durationFactor != 1 ? null : unscaled.get(name);
        if (known == null && limits.folder != null) {
            known = limits.folder.find(name, durationFactor);
        }
        if (known != null || stopped.containsKey(name)) {
            progress.end(log.jobs.size());
            return known;
        }
        LogOutcome made = run(candidate, log, null, progress);
        if (made == null) {
            return null;
        }
        if (durationFactor == 1) {
            unscaled.put(name, made);
        }
        if (limits.folder != null) {
            limits.folder.keep(made, durationFactor);
        }
        return made;
    }

    /**
     * Replays the log under each candidate for a recorder, also where the outcome is known.
     *
     * @return those that ended within the limit; of the others the recorder has a part
     */
    List<LogOutcome> record(
            List<Candidate> candidates, List<TraceJob> jobs, double durationFactor, RunRecorder recorder) {
        Log log = log(jobs, durationFactor);
        try (ReplayProgress progress = new ReplayProgress("draw the answer", candidates.size(), jobs.size())) {
            return workers
                    .map(candidates.size(), i -> {
                        Candidate one = candidates.get(i);
                        return Optional.ofNullable(run(one, log, recorder.sink(one.name, 0, log.jobs), progress));
                    })
                    .stream()
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    private @Nullable LogOutcome run(Candidate candidate, Log log, @Nullable EventSink sink, ReplayProgress progress) {
        Workload workload = switch (candidate.limits) {
            case LIMITS -> log.jobs;
            case NONE -> log.unlimited;
            case LIMITS_OF_EACH_RUN ->
                world.workload(LoggedDurations.of(
                        log.made, candidate.limits, new RestartCost.Fixed(candidate.restartSeconds)));
        };
        Simulator simulator = simulator(
                candidate.keepsLimits ? LoggedCluster.unlimited(world) : world,
                workload,
                candidate.restartSeconds,
                candidate.isTold,
                sink);
        ReplayWatch watch = new ReplayWatch(
                simulator, workload, limits.secondsOf(candidate.name), candidate.restartSeconds, progress);
        RunResult result = watch.runs(candidate.fresh.apply(0)) ? simulator.result() : null;
        if (result != null && result.rejected().isEmpty()) {
            return LogOutcome.of(candidate.name, result, delaySeconds);
        }
        stopped.put(candidate.name, result == null ? watch.reason() : turnedAway(result.rejected()));
        return null;
    }

    private static String turnedAway(List<RunResult.RejectedJob> rejected) {
        RunResult.RejectedJob first = rejected.get(0);
        return "it never starts %s, such as %s of %s: %s"
                .formatted(
                        Counted.of(rejected.size(), "job"),
                        first.job().name(),
                        Counted.of(first.job().gpus(), "GPU"),
                        first.reason());
    }

    /**
     * Jobs to replay, by {@link LoggedDurations}.
     *
     * @param made for the workloads
     * @param unlimited the same jobs without limits
     */
    private record Log(List<TraceJob> made, Workload jobs, Workload unlimited) {}

    private Log log(List<TraceJob> jobs, double factor) {
        List<TraceJob> scaled = jobs.stream()
                .map(job -> LoggedDurations.of(
                        job, factor == 1 ? job.durationNanos() : Math.round(job.durationNanos() * factor)))
                .toList();
        Workload workload = world.workload(scaled);
        List<TraceJob> free = LoggedDurations.of(scaled, LoggedDurations.Told.NONE, RestartCost.FREE);
        Workload unlimited = free.equals(scaled) ? workload : world.workload(free);
        return new Log(scaled, workload, unlimited);
    }

    /**
     * Slurm as clusters commonly set it, with cycles of its default lengths (30 s for backfill, 60 s for all of the
     * main loop), tried for a past of jobs with time limits.
     */
    private enum CommonSlurm {
        BUILTIN("sched/builtin"),
        BACKFILL("sched/backfill", "bf_continue", "bf_interval=30", "sched_interval=60"),
        EASY("sched/backfill", "bf_continue", "bf_interval=30", "sched_interval=60", "bf_job_part_count_reserve=1");

        private final String type;
        private final String parameters;

        CommonSlurm(String type, String... parameters) {
            this.type = type;
            this.parameters = String.join(",", parameters);
        }

        /** The registry's name with the settings in brackets. */
        String words() {
            return "slurm (%s)".formatted(parameters.isEmpty() ? type : parameters);
        }

        SlurmFiles files() {
            List<String> conf = List.of(
                    "SchedulerType=" + type, "PriorityType=priority/basic", "SchedulerParameters=" + parameters);
            return SlurmFiles.DEFAULT.with(conf);
        }
    }

    /** A job starts on as few servers as an empty cluster would give it, or waits. */
    private static final class NarrowFit implements Placer {
        private final ConsolidatingPlacer servers =
                new ConsolidatingPlacer((view, job, server, room, workers, shares) -> 0);

        private final Map<List<Object>, Integer> fewest = new HashMap<>();

        @Override
        public @Nullable Placement place(SimView view, JobSpec job) {
            int most = fewest.computeIfAbsent(
                    List.of(job.gpus(), job.demand().gpuTypes()), any -> fewest(view.topology(), job.demand()));
            return servers.place(view, job, most);
        }

        /** The servers of the types of a demand that have its GPUs together, the widest first. */
        private static int fewest(Topology topology, Demand demand) {
            int[] gpus = IntStream.range(0, topology.servers())
                    .filter(one -> demand.allows(topology.server(one).gpuType().name()))
                    .map(one -> -topology.gpusOn(one))
                    .sorted()
                    .toArray();
            int count = 0;
            for (int sum = 0; sum < demand.gpus() && count < gpus.length; count++) {
                sum -= gpus[count];
            }
            return Math.max(1, count);
        }

        @Override
        public boolean splitsAnywhere() {
            return false;
        }
    }
}
