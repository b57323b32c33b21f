package org.trainyard.experiments.advice;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.SchedulerRegistry;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.Sjf;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.policy.InferencePolicy;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.scheduling.placement.ConsolidatingPlacer;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.trace.TraceJob;
import org.trainyard.experiments.config.RuntimeConfig;
import org.trainyard.experiments.fleet.ThreadWorkerPool;
import org.trainyard.experiments.run.RuntimePredictors;
import org.trainyard.experiments.timeline.RunRecorder;

/**
 * Replays a log under schedulers. Every job runs exactly as long as it did: a logged duration already contains its
 * neighbours and links, so nothing slows it down twice. A restart after a preemption costs 30 s.
 */
final class LogReplays {
    /** What is added to the name of a scheduler that was told the true run times. */
    static final String TOLD = " (knowing run times)";

    /** What is added to the name of a scheduler that starts gangs on no more servers than they need. */
    static final String NARROW = " (gangs on the fewest servers)";

    private static final long RESTART_NANOS = 30_000_000_000L;
    /** Between two looks at the clock. */
    private static final int EVENTS = 64;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Set<String> FLOORS = Set.of("random");

    /**
     * A run to be made.
     *
     * @param isTold whether predicted run times are the true ones, in place of those of finished jobs of the same
     *     group or user
     */
    record Candidate(String name, boolean isTold, IntFunction<Scheduler> fresh) {}

    private final Topology topology;
    private final InterferenceModel belief;
    private final ThreadWorkerPool workers;
    private final Limits limits;
    private final long seed;
    private final Map<String, LogOutcome> unscaled = new ConcurrentHashMap<>();
    private final Set<String> stopped = new ConcurrentSkipListSet<>();

    /**
     * @param folder keeps replays; null for memory alone
     * @param seconds of processor time that a replay may take
     */
    record Limits(@Nullable ReplayFolder folder, double seconds) {}

    LogReplays(Topology topology, InterferenceModel belief, ThreadWorkerPool workers, Limits limits, long seed) {
        this.topology = topology;
        this.belief = belief;
        this.workers = workers;
        this.limits = limits;
        this.seed = seed;
    }

    /** The names of schedulers whose replay took too long, in alphabetical order; they are not tried again. */
    List<String> stopped() {
        return List.copyOf(stopped);
    }

    /** The jobs that fit on the cluster, with types of GPUs named as there. */
    List<TraceJob> fitting(List<TraceJob> jobs) {
        FitReason fit = new FitReason(topology);
        return jobs.stream()
                .filter(job -> fit.of(job.demand()) == null)
                .map(job -> job.demanding(fit.named(job.demand())))
                .toList();
    }

    /**
     * The schedulers of the registry that can run these jobs: no presets that replay other simulators, no variants
     * by placer, no floor. For a search of the past there are more: those that read predictions a second time, told
     * the true run times, and orders that wait for the fewest servers.
     */
    List<Candidate> registered(List<TraceJob> jobs, boolean isSearch) {
        List<Candidate> candidates = new ArrayList<>();
        for (SchedulerRegistry.Entry entry : SchedulerRegistry.entries()) {
            boolean isOne = !entry.replaysTrace() && !entry.name().contains("/") && !FLOORS.contains(entry.name());
            if (isOne && jobs.stream().allMatch(job -> entry.serves(job.demand()))) {
                candidates.add(candidate(entry, entry.name(), false));
                if (isSearch && entry.has(SchedulerRegistry.Flag.NEEDS_PREDICTIONS)) {
                    candidates.add(candidate(entry, entry.name() + TOLD, true));
                }
            }
        }
        if (isSearch) {
            candidates.addAll(narrow());
        }
        return candidates;
    }

    private List<Candidate> narrow() {
        return List.of(
                new Candidate("fifo" + NARROW, false, run -> new Fifo(false, new NarrowFit())),
                new Candidate("fifo-backfill" + NARROW, false, run -> new Fifo(true, new NarrowFit())),
                new Candidate("sjf" + NARROW, false, run -> new Sjf(new NarrowFit())),
                new Candidate("sjf" + NARROW + TOLD, true, run -> new Sjf(new NarrowFit())));
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

    private Candidate candidate(SchedulerRegistry.Entry entry, String name, boolean isTold) {
        return new Candidate(name, isTold, run -> entry.create(topology, belief, seed));
    }

    /** A trained policy whose agents own a rack each and may preempt. */
    Candidate learned(String name, InferencePolicy policy) {
        Deployment deployment = new Deployment(topology, Domains.racks(topology), true, belief);
        return new Candidate(name, false, run -> policy.scheduler(deployment));
    }

    /**
     * The log under each candidate that ends within the limit, in their order. Replays that were made before are
     * not made again.
     *
     * @param task names the work in the progress
     * @param durationFactor by which all durations are multiplied
     */
    List<LogOutcome> run(String task, List<Candidate> candidates, List<TraceJob> jobs, double durationFactor) {
        Workload workload = builder().rated(scaled(jobs, durationFactor)).workload();
        try (ReplayProgress progress = new ReplayProgress(task, candidates.size(), jobs.size())) {
            return workers
                    .map(
                            candidates.size(),
                            i -> Optional.ofNullable(found(candidates.get(i), workload, durationFactor, progress)))
                    .stream()
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    /** The log under one candidate, or null when it takes longer than the limit. */
    @Nullable LogOutcome run(Candidate candidate, List<TraceJob> jobs, double durationFactor, ReplayProgress progress) {
        return found(candidate, builder().rated(scaled(jobs, durationFactor)).workload(), durationFactor, progress);
    }

    private @Nullable LogOutcome found(
            Candidate candidate, Workload workload, double durationFactor, ReplayProgress progress) {
        String name = candidate.name;
        LogOutcome known = stopped.contains(name) || durationFactor != 1 ? null : unscaled.get(name);
        if (known == null && limits.folder != null) {
            known = limits.folder.find(name, durationFactor);
        }
        if (known != null || stopped.contains(name)) {
            progress.end(workload.size());
            return known;
        }
        LogOutcome made = run(candidate, workload, null, progress);
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
        Workload workload = builder().rated(scaled(jobs, durationFactor)).workload();
        try (ReplayProgress progress = new ReplayProgress("draw the answer", candidates.size(), jobs.size())) {
            return workers
                    .map(candidates.size(), i -> {
                        Candidate one = candidates.get(i);
                        return Optional.ofNullable(run(one, workload, recorder.sink(one.name, 0, workload), progress));
                    })
                    .stream()
                    .flatMap(Optional::stream)
                    .map(LogOutcome::name)
                    .collect(Collectors.toSet());
        }
    }

    private @Nullable LogOutcome run(
            Candidate candidate, Workload workload, @Nullable EventSink log, ReplayProgress progress) {
        RuntimeConfig runtime = candidate.isTold ? new RuntimeConfig.Oracle() : new RuntimeConfig.History();
        Simulator simulator = new Simulator(
                topology,
                workload,
                new RatedPerformance(),
                RuntimePredictors.of(runtime, seed).apply(workload),
                new Simulator.Options(RESTART_NANOS, false).withEvents(log));
        Scheduler scheduler = candidate.fresh.apply(0);
        long untilNanos = THREADS.getCurrentThreadCpuTime() + (long) (limits.seconds * 1e9);
        int said = 0;
        for (long events = 1; simulator.advance(); events++) {
            simulator.decide(scheduler);
            if (events % EVENTS == 0) {
                int done = simulator.jobsDone();
                progress.add(done - said);
                said = done;
                if (THREADS.getCurrentThreadCpuTime() > untilNanos) {
                    progress.end(workload.size() - said);
                    return null;
                }
            }
        }
        progress.end(workload.size() - said);
        return LogOutcome.of(candidate.name, simulator.result());
    }

    private static List<TraceJob> scaled(List<TraceJob> jobs, double factor) {
        return factor == 1
                ? jobs
                : jobs.stream()
                        .map(job -> job.lasting(Math.max(1, Math.round(job.durationNanos() * factor))))
                        .toList();
    }

    private WorkloadBuilder builder() {
        return new WorkloadBuilder(
                topology,
                ModelCatalog.standard(),
                new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, seed, false, true));
    }
}
