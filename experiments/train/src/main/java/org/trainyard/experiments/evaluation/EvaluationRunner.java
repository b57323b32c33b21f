package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/**
 * Runs schedulers over the same episodes, each time with a fresh simulator and a fresh scheduler.
 *
 * <p>Results are ordered by scheduler and episode and do not depend on threads.
 */
public final class EvaluationRunner {
    /** Runs a scheduler in an episode and keeps a result of the run; must be thread-safe. */
    @FunctionalInterface
    public interface Run<R> {
        R result(Simulator simulator, Scheduler scheduler);
    }

    private final List<Workload> episodes;
    private final IntFunction<World> worlds;
    /** Whether schedulers that do not share GPUs hold whole ones, because sharing is a choice. */
    private final boolean isSharingAChoice;

    private final @Nullable ThreadWorkerPool workers;
    private final @Nullable RemoteRuns machines;
    private @Nullable RunRecording recorder;

    private EvaluationRunner(
            List<Workload> episodes,
            IntFunction<World> worlds,
            boolean isSharingAChoice,
            @Nullable ThreadWorkerPool workers,
            @Nullable RemoteRuns machines) {
        this.episodes = episodes;
        this.worlds = worlds;
        this.isSharingAChoice = isSharingAChoice;
        this.workers = workers;
        this.machines = machines;
    }

    /**
     * A runner.
     *
     * @param worlds of the episode of an index; safe for several threads
     * @param workers threads for schedulers that are thread-safe; null for runs in the caller's thread
     */
    public EvaluationRunner(List<Workload> episodes, IntFunction<World> worlds, @Nullable ThreadWorkerPool workers) {
        this(episodes, worlds, false, workers, null);
    }

    /**
     * A runner of the episodes of an experiment; schedulers that do not share GPUs run them on whole GPUs where sharing
     * is a choice.
     */
    public EvaluationRunner(Experiment experiment, List<Workload> episodes) {
        this(episodes, episode -> experiment.world(), experiment.sharesGpus(), experiment.workers(), null);
    }

    /**
     * A runner of the episodes of an experiment; where the experiment has a fleet, schedulers that can be sent run on
     * its machines.
     */
    public EvaluationRunner(Experiment experiment, EpisodeSet episodes) {
        this(
                episodes.workloads(),
                episode -> experiment.world(),
                experiment.sharesGpus(),
                experiment.workers(),
                machines(experiment, episodes));
    }

    private static @Nullable RemoteRuns machines(Experiment experiment, EpisodeSet episodes) {
        Fleet fleet = experiment.fleet();
        return fleet == null
                ? null
                : RemoteRuns.Source.installed("fleet", "machines").of(fleet, experiment, episodes);
    }

    /** An episode as a scheduler runs it. */
    public static Workload workload(boolean isSharingAChoice, boolean sharesGpus, Workload episode) {
        return sharesGpus || !isSharingAChoice ? episode : episode.onWholeGpus();
    }

    /** This runner, whose first runs are recorded, one after another where the recorder writes; null for none. */
    public EvaluationRunner recordedBy(@Nullable RunRecording newRecorder) {
        recorder = newRecorder;
        return this;
    }

    /** The results of one scheduler, in the order of the episodes. */
    public <R> List<R> run(SchedulerFactory scheduler, Run<R> run) {
        return run(List.of(scheduler), run, () -> {}).get(0);
    }

    /**
     * The results of several schedulers, each in the order of the episodes.
     *
     * @param done called in the caller's thread after every run
     */
    public <R> List<List<R>> run(List<SchedulerFactory> schedulers, Run<R> run, Runnable done) {
        int count = episodes.size();
        int runs = schedulers.size() * count;
        IntFunction<R> one = i -> run(schedulers.get(i / count), i % count, run);
        List<R> results = new ArrayList<>();
        if (workers != null && (recorder == null || !recorder.isWriting())) {
            results = workers.map(runs, one, done);
        } else {
            for (int i = 0; i < runs; i++) {
                results.add(one.apply(i));
                done.run();
            }
        }
        List<List<R>> byScheduler = new ArrayList<>();
        for (int from = 0; from < runs; from += count) {
            byScheduler.add(List.copyOf(results.subList(from, from + count)));
        }
        return byScheduler;
    }

    private <R> R run(SchedulerFactory scheduler, int episode, Run<R> run) {
        String name = scheduler.name();
        RunRecording recording = recorder != null && recorder.records(episode) ? recorder : null;
        return FailedScheduler.naming(name, () -> {
            Workload workload = workload(isSharingAChoice, scheduler.sharesGpus(), episodes.get(episode));
            World world = worlds.apply(episode);
            if (recording == null) {
                return run.result(world.simulator(workload), scheduler.fresh().of(episode, null));
            }
            return run.result(
                    world.simulator(workload, recording.sink(name, episode, workload)),
                    recording.scheduler(
                            name,
                            episode,
                            workload,
                            choices -> scheduler.fresh().of(episode, choices)));
        });
    }

    /** Runs of a scheduler in all episodes. */
    public SchedulerRuns run(SchedulerFactory scheduler) {
        return new SchedulerRuns(scheduler.name(), scheduler.role(), run(scheduler, Simulator::run));
    }

    /** The results of one scheduler with their processor times, in the order of the episodes. */
    List<TimedScheduler.Run> timed(SchedulerFactory scheduler) {
        return machines != null && recorder == null && scheduler.origin() != null
                ? machines.results(scheduler)
                : run(scheduler, (simulator, one) -> TimedScheduler.run(scheduler.name(), simulator, one));
    }

    /**
     * Mean JCTs in seconds by scheduler and episode.
     *
     * @param done called in the caller's thread after every run
     */
    public List<List<Double>> meanJctSeconds(List<SchedulerFactory> schedulers, Runnable done) {
        if (machines != null && schedulers.stream().allMatch(scheduler -> scheduler.origin() != null)) {
            return machines.meanJctSeconds(schedulers, done);
        }
        return run(
                schedulers, (simulator, scheduler) -> simulator.run(scheduler).meanJctSeconds(), done);
    }

    /**
     * Geometric mean over episodes of a policy's mean JCT, seconds. Validation minimises it because an arithmetic mean
     * is dominated by the episodes of high load with their long queues.
     */
    public static double geometricMeanJctSeconds(Experiment experiment, BidPolicy policy, EpisodeSet episodes) {
        return geometricMeanJctSeconds(new EvaluationRunner(experiment, episodes), experiment, policy);
    }

    /**
     * Geometric mean over episodes of a policy's mean JCT, seconds, by runs on threads.
     *
     * @param options of the world in the episode of an index
     */
    public static double geometricMeanJctSeconds(
            Experiment experiment,
            BidPolicy policy,
            EpisodeSet episodes,
            IntFunction<UnaryOperator<Simulator.Options>> options) {
        World world = experiment.world();
        EvaluationRunner runner = new EvaluationRunner(
                episodes.workloads(),
                episode -> world.with(options.apply(episode).apply(world.options())),
                experiment.workers());
        return geometricMeanJctSeconds(runner, experiment, policy);
    }

    private static double geometricMeanJctSeconds(EvaluationRunner runner, Experiment experiment, BidPolicy policy) {
        SchedulerFactory learned = SchedulerFactory.learned(experiment, "", policy);
        List<Double> seconds = runner.meanJctSeconds(List.of(learned), () -> {}).get(0);
        return Math.exp(seconds.stream().mapToDouble(Math::log).sum() / seconds.size());
    }
}
