package org.trainyard.experiments.advice;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.agents.heuristic.placing.ConsolidatingPlacer;
import org.trainyard.agents.heuristic.slurm.SlurmScheduler;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.experiments.simulation.LoggedDurations;
import org.trainyard.experiments.simulation.NeverStarting;
import org.trainyard.experiments.timeline.RunRecorder;

/**
 * Replays a log under schedulers. Every job runs exactly as long as it did: a logged duration already contains its
 * neighbours and links, so nothing slows it down twice.
 */
public final class LogReplays {
    /** Suffix to the name of a scheduler that was told the true run times. */
    static final String TOLD = " (knowing run times)";

    /** Suffix to the name of a scheduler that starts gangs on no more servers than they need. */
    static final String NARROW = " (gangs on the fewest servers)";

    private static final int PATIENCE = 20;
    /** Between two looks at the clock. */
    private static final int EVENTS = 64;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Set<String> FLOORS = Set.of("random");

    /**
     * A run to be made.
     *
     * @param isTold whether predicted run times are the true ones, in place of those of finished jobs of the same
     *     group or user
     * @param preempts whether it may take GPUs from running jobs
     * @param restartSeconds cost of a restart after a preemption
     */
    public record Candidate(
            String name, boolean isTold, boolean preempts, double restartSeconds, IntFunction<Scheduler> fresh) {
        /** The same scheduler under another name. */
        Candidate named(String other) {
            return new Candidate(other, isTold, preempts, restartSeconds, fresh);
        }

        /** The same scheduler where restarts cost more or less, under a name that says so. */
        Candidate restartingIn(double seconds) {
            return new Candidate(
                    "%s (restarts of %s)".formatted(name, Durations.human(seconds)), isTold, preempts, seconds, fresh);
        }
    }

    private final World world;
    private final ThreadWorkerPool workers;
    private final Limits limits;
    private final @Nullable String own;
    private final Map<String, LogOutcome> unscaled = new ConcurrentHashMap<>();
    private final Set<String> stopped = new ConcurrentSkipListSet<>();

    /**
     * @param folder keeps replays; null for memory alone
     * @param seconds of processor time that a replay may take
     * @param restartSeconds cost of a restart after a preemption
     */
    public record Limits(@Nullable ReplayFolder folder, double seconds, double restartSeconds) {}

    /** The world of replays: schedulers are told run times of finished jobs of the same group or user. */
    public static World world(Topology topology, InterferenceModel belief, long seed) {
        return World.rated(topology, Simulator.Options.DEFAULT, seed)
                .believing(belief)
                .telling(RuntimePredictors.of(new RuntimeConfig.History(), seed));
    }

    /** @param own the scheduler that the cluster's own files configure, a candidate beside those of the registry; or null */
    LogReplays(World world, ThreadWorkerPool workers, Limits limits, @Nullable String own) {
        this.world = world;
        this.workers = workers;
        this.limits = limits;
        this.own = own;
    }

    /** The scheduler that the cluster's own files configure, or null. */
    @Nullable String own() {
        return own;
    }

    /** The names of schedulers whose replay took too long, in alphabetical order; they are not tried again. */
    List<String> stopped() {
        return List.copyOf(stopped);
    }

    /**
     * The jobs that fit on the cluster, with types of GPUs named as there, without those that the cluster's own scheduler
     * never starts: schedulers are compared on the same jobs.
     */
    public List<TraceJob> fitting(List<TraceJob> jobs) {
        return startable(jobs).others();
    }

    /** Of the jobs that fit those that the cluster's own scheduler may start, and those that it never does. */
    NeverStarting startable(List<TraceJob> jobs) {
        List<TraceJob> fitting = new FitReason(world.topology()).fitting(jobs);
        if (own == null || fitting.isEmpty()) {
            return new NeverStarting(fitting, List.of());
        }
        NeverStarting known = NeverStarting.of(SchedulerRegistry.named(own).create(world), fitting);
        return own.startsWith("slurm:") ? known : known.without(rejected(own, fitting));
    }

    /** By id, why a scheduler that does not know it before a run turned jobs away in one. */
    private Map<String, String> rejected(String name, List<TraceJob> jobs) {
        Map<String, String> reasons = new HashMap<>();
        simulator(log(jobs, 1).unlimited, limits.restartSeconds, false, null)
                .run(SchedulerRegistry.named(name).create(world))
                .rejected()
                .forEach(job -> reasons.put(job.job().name(), job.reason()));
        return reasons;
    }

    private Simulator simulator(Workload workload, double restartSeconds, boolean isTold, @Nullable EventSink sink) {
        return world.telling(isTold ? RuntimePredictor::oracle : world.predictors())
                .with(world.options().with(new RestartCost.Fixed(restartSeconds)))
                .simulator(workload, sink);
    }

    /**
     * The schedulers of the registry that can run these jobs: no presets that replay other simulators, no variants
     * by placer, no floor. For a search of the past there are more: those that read predictions a second time, told
     * the true run times, and orders that wait for the fewest servers.
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
                    candidates.add(candidate(slurm.words(), false, run -> slurm.on(world.topology())));
                }
            }
        }
        return candidates;
    }

    private List<Candidate> narrow() {
        return List.of(
                candidate("fifo" + NARROW, false, run -> new Fifo(false, new NarrowFit())),
                candidate("fifo-backfill" + NARROW, false, run -> new Fifo(true, new NarrowFit())),
                candidate("sjf" + NARROW, false, run -> new Sjf(new NarrowFit())),
                candidate("sjf" + NARROW + TOLD, true, run -> new Sjf(new NarrowFit())));
    }

    /** A scheduler that takes no GPUs from running jobs. */
    Candidate candidate(String name, boolean isTold, IntFunction<Scheduler> fresh) {
        return new Candidate(name, isTold, false, limits.restartSeconds, fresh);
    }

    private Candidate candidate(SchedulerRegistry.Entry entry, String name, boolean isTold) {
        return new Candidate(name, isTold, entry.takesGpus(), limits.restartSeconds, run -> entry.create(world));
    }

    /** A trained policy whose agents own a rack each and may preempt. */
    Candidate learned(String name, BidPolicy policy) {
        Deployment deployment = new Deployment(world.topology(), Domains.racks(world.topology()), true, world.belief());
        return new Candidate(name, false, true, limits.restartSeconds, run -> policy.scheduler(deployment));
    }

    /**
     * The log under each candidate that ends within the limit, in their order. Replays that were made before are
     * not made again.
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
        LogOutcome known = stopped.contains(name) || durationFactor != 1 ? null : unscaled.get(name);
        if (known == null && limits.folder != null) {
            known = limits.folder.find(name, durationFactor);
        }
        if (known != null || stopped.contains(name)) {
            progress.end(log.jobs.size());
            return known;
        }
        LogOutcome made = run(candidate, log, null, progress);
        if (made == null) {
            stopped.add(name);
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
     * @return the names of those that ended within the limit; of the others the recorder has a part
     */
    Set<String> record(List<Candidate> candidates, List<TraceJob> jobs, double durationFactor, RunRecorder recorder) {
        Log log = log(jobs, durationFactor);
        try (ReplayProgress progress = new ReplayProgress("draw the answer", candidates.size(), jobs.size())) {
            return workers
                    .map(candidates.size(), i -> {
                        Candidate one = candidates.get(i);
                        return Optional.ofNullable(run(one, log, recorder.sink(one.name, 0, log.jobs), progress));
                    })
                    .stream()
                    .flatMap(Optional::stream)
                    .map(LogOutcome::name)
                    .collect(Collectors.toSet());
        }
    }

    private @Nullable LogOutcome run(Candidate candidate, Log log, @Nullable EventSink sink, ReplayProgress progress) {
        boolean readsLimits = !candidate.preempts || (own != null && candidate.name.startsWith(own));
        Workload workload = readsLimits ? log.jobs : log.unlimited;
        Simulator simulator = simulator(workload, candidate.restartSeconds, candidate.isTold, sink);
        Watch watch = new Watch(simulator, log.endNanos, progress);
        boolean isDone = simulator.runWhile(candidate.fresh.apply(0), watch);
        progress.end(workload.size() - watch.said);
        return isDone ? LogOutcome.of(candidate.name, simulator.result()) : null;
    }

    /** Tells how far a replay is, and ends it at its limits. */
    private final class Watch implements BooleanSupplier {
        private final Simulator simulator;
        private final long endNanos;
        private final ReplayProgress progress;
        private final long untilNanos = THREADS.getCurrentThreadCpuTime() + (long) (limits.seconds * 1e9);
        private long events;
        private int said;

        Watch(Simulator simulator, long endNanos, ReplayProgress progress) {
            this.simulator = simulator;
            this.endNanos = endNanos;
            this.progress = progress;
        }

        @Override
        public boolean getAsBoolean() {
            if (++events % EVENTS != 0) {
                return true;
            }
            int done = simulator.jobsDone();
            progress.add(done - said);
            said = done;
            return THREADS.getCurrentThreadCpuTime() <= untilNanos
                    && simulator.view().nowNanos() <= endNanos;
        }
    }

    /**
     * Jobs to replay, by {@link LoggedDurations}.
     *
     * @param unlimited the same jobs without limits
     * @param endNanos when a replay that makes progress has ended: {@value #PATIENCE} times the time that all jobs
     *     would need one after another on all GPUs, and the longest, after the last submission. A scheduler that
     *     preempts jobs again during their restarts would never end.
     */
    private record Log(Workload jobs, Workload unlimited, long endNanos) {}

    private Log log(List<TraceJob> jobs, double factor) {
        List<TraceJob> scaled = jobs.stream()
                .map(job -> LoggedDurations.of(
                        job, factor == 1 ? job.durationNanos() : Math.round(job.durationNanos() * factor), false))
                .toList();
        double work = 0;
        long longest = 0;
        for (TraceJob job : scaled) {
            work += (double) job.durationNanos() * job.gpus() / world.topology().gpus();
            longest = Math.max(longest, job.durationNanos());
        }
        double end = jobs.get(jobs.size() - 1).submitNanos() + PATIENCE * (work + longest);
        Workload workload = world.workload(scaled);
        List<TraceJob> free = LoggedDurations.of(scaled, true);
        Workload unlimited = free.equals(scaled) ? workload : world.workload(free);
        return new Log(workload, unlimited, (long) Math.min(Long.MAX_VALUE / 2.0, end));
    }

    /** Slurm as clusters commonly set it, tried for a past of jobs with time limits where no configuration is given. */
    private enum CommonSlurm {
        BUILTIN("sched/builtin"),
        BACKFILL("sched/backfill", "bf_continue", "bf_interval=2", "bf_resolution=1"),
        EASY("sched/backfill", "bf_continue", "bf_interval=2", "bf_resolution=1", "bf_job_part_count_reserve=1");

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

        Scheduler on(Topology topology) {
            List<String> conf = List.of(
                    "SchedulerType=" + type, "PriorityType=priority/basic", "SchedulerParameters=" + parameters);
            return new SlurmScheduler(SlurmFiles.DEFAULT.with(conf), topology);
        }
    }

    /** A job starts on as few servers as an empty cluster would give it, or waits. */
    private static final class NarrowFit implements Placer {
        private final ConsolidatingPlacer servers =
                new ConsolidatingPlacer((view, job, server, room, workers, shares) -> 0);

        @Override
        public @Nullable Placement place(SimView view, JobSpec job) {
            int widest = 1;
            for (int server = 0; server < view.topology().servers(); server++) {
                widest = Math.max(widest, view.topology().gpusOn(server));
            }
            return servers.place(view, job, Math.max(1, (job.gpus() + widest - 1) / widest));
        }

        @Override
        public boolean splitsAnywhere() {
            return false;
        }
    }
}
