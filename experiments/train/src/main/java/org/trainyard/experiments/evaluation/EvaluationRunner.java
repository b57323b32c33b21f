package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.InferencePolicy;
import org.trainyard.agents.learned.policy.TrainedPolicy;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.timeline.RunRecorder;

/**
 * Runs schedulers over the same episodes, each time with a fresh simulator and a fresh scheduler.
 *
 * <p>Results are ordered by scheduler and episode and do not depend on threads.
 */
public final class EvaluationRunner {
    /** How a scheduler is run in an episode, and what is kept of the run; must be safe for several threads. */
    @FunctionalInterface
    public interface Run<R> {
        R result(Simulator simulator, Scheduler scheduler);
    }

    /** Where runs take place; must be safe for several threads unless runs follow each other. */
    @FunctionalInterface
    private interface Setting {
        /** A new simulator at the start of the episode. */
        Simulator simulator(SchedulerFactory scheduler, int episode);

        default Scheduler scheduler(SchedulerFactory scheduler, int episode) {
            return scheduler.fresh().of(episode, null);
        }
    }

    /** Runs of an experiment that are recorded. */
    private record Recorded(Experiment experiment, List<Workload> episodes, RunRecorder recorder) implements Setting {
        @Override
        public Simulator simulator(SchedulerFactory scheduler, int episode) {
            Workload workload = workload(experiment, scheduler.sharesGpus(), episodes.get(episode));
            return experiment.simulator(workload, recorder.sink(scheduler.name(), episode, workload));
        }

        @Override
        public Scheduler scheduler(SchedulerFactory scheduler, int episode) {
            return recorder.scheduler(
                    scheduler.name(),
                    episode,
                    workload(experiment, scheduler.sharesGpus(), episodes.get(episode)),
                    choices -> scheduler.fresh().of(episode, choices));
        }
    }

    private final @Nullable ThreadWorkerPool workers;
    private final int episodes;
    private final Setting setting;
    private final @Nullable EpisodeFleet fleet;

    private EvaluationRunner(
            @Nullable ThreadWorkerPool workers, int episodes, Setting setting, @Nullable EpisodeFleet fleet) {
        this.workers = workers;
        this.episodes = episodes;
        this.setting = setting;
        this.fleet = fleet;
    }

    /**
     * A runner.
     *
     * @param workers threads for schedulers that are thread-safe; null for runs in the caller's thread
     * @param simulators a new simulator at the start of the episode of this index
     */
    public EvaluationRunner(@Nullable ThreadWorkerPool workers, int episodes, IntFunction<Simulator> simulators) {
        this(workers, episodes, (scheduler, episode) -> simulators.apply(episode), null);
    }

    /**
     * A runner of the episodes of an experiment; schedulers that do not share GPUs run them on whole GPUs where
     * sharing is a choice.
     */
    public EvaluationRunner(Experiment experiment, List<Workload> episodes) {
        this(null, experiment, episodes);
    }

    /**
     * A runner of the episodes of an experiment; where the experiment has a fleet, schedulers that can be sent run
     * on its machines.
     */
    public EvaluationRunner(Experiment experiment, EpisodeSet episodes) {
        this(
                experiment.fleet() == null ? null : new EpisodeFleet(experiment.fleet(), experiment, episodes),
                experiment,
                episodes.workloads());
    }

    private EvaluationRunner(@Nullable EpisodeFleet fleet, Experiment experiment, List<Workload> episodes) {
        this(
                experiment.workers(),
                episodes.size(),
                (scheduler, episode) ->
                        experiment.simulator(workload(experiment, scheduler.sharesGpus(), episodes.get(episode))),
                fleet);
    }

    /** An episode as a scheduler runs it. */
    static Workload workload(Experiment experiment, boolean sharesGpus, Workload episode) {
        return sharesGpus || !experiment.sharesGpus() ? episode : episode.onWholeGpus();
    }

    /** A runner whose runs are recorded, one after another where the recorder writes. */
    EvaluationRunner(Experiment experiment, List<Workload> episodes, RunRecorder recorder) {
        this(
                recorder.isWriting() ? null : experiment.workers(),
                episodes.size(),
                new Recorded(experiment, episodes, recorder),
                null);
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
        int runs = schedulers.size() * episodes;
        IntFunction<R> one = i -> {
            SchedulerFactory scheduler = schedulers.get(i / episodes);
            int episode = i % episodes;
            return FailedScheduler.naming(
                    scheduler.name(),
                    () -> run.result(setting.simulator(scheduler, episode), setting.scheduler(scheduler, episode)));
        };
        List<R> results = new ArrayList<>();
        if (workers != null && schedulers.stream().allMatch(SchedulerFactory::isThreadSafe)) {
            results = workers.map(runs, one, done);
        } else {
            for (int i = 0; i < runs; i++) {
                results.add(one.apply(i));
                done.run();
            }
        }
        List<List<R>> byScheduler = new ArrayList<>();
        for (int from = 0; from < runs; from += episodes) {
            byScheduler.add(List.copyOf(results.subList(from, from + episodes)));
        }
        return byScheduler;
    }

    /** What a scheduler did in all episodes. */
    public SchedulerRuns run(SchedulerFactory scheduler) {
        return new SchedulerRuns(scheduler.name(), scheduler.role(), run(scheduler, Simulator::run));
    }

    /** The results of one scheduler with their processor times, in the order of the episodes. */
    List<TimedScheduler.Run> timed(SchedulerFactory scheduler) {
        return fleet != null && EpisodeFleet.serves(List.of(scheduler))
                ? fleet.results(scheduler)
                : run(scheduler, (simulator, one) -> TimedScheduler.run(scheduler.name(), simulator, one));
    }

    /**
     * Mean JCTs in seconds by scheduler and episode.
     *
     * @param done called in the caller's thread after every run
     */
    public List<List<Double>> meanJctSeconds(List<SchedulerFactory> schedulers, Runnable done) {
        if (fleet != null && EpisodeFleet.serves(schedulers)) {
            return fleet.meanJctSeconds(schedulers, done);
        }
        return run(
                schedulers, (simulator, scheduler) -> simulator.run(scheduler).meanJctSeconds(), done);
    }

    /**
     * Geometric mean over episodes of a policy's mean JCT, seconds. Validation minimises it because an arithmetic
     * mean is dominated by the episodes of high load with their long queues.
     */
    public static double geometricMeanJctSeconds(Experiment experiment, TrainedPolicy policy, EpisodeSet episodes) {
        return geometricMeanJctSeconds(new EvaluationRunner(experiment, episodes), experiment, policy);
    }

    /**
     * The same, on threads.
     *
     * @param options of the world in the episode of an index
     */
    public static double geometricMeanJctSeconds(
            Experiment experiment,
            TrainedPolicy policy,
            EpisodeSet episodes,
            IntFunction<UnaryOperator<Simulator.Options>> options) {
        EvaluationRunner runner = new EvaluationRunner(
                experiment.workers(),
                episodes.size(),
                episode -> experiment.simulator(episodes.workloads().get(episode), options.apply(episode)));
        return geometricMeanJctSeconds(runner, experiment, policy);
    }

    private static double geometricMeanJctSeconds(
            EvaluationRunner runner, Experiment experiment, TrainedPolicy policy) {
        try (InferencePolicy inference = policy.toInferencePolicy()) {
            SchedulerFactory learned =
                    SchedulerFactory.learned(experiment, "", inference).sentTo(experiment.fleet(), policy);
            List<Double> seconds =
                    runner.meanJctSeconds(List.of(learned), () -> {}).get(0);
            return Math.exp(seconds.stream().mapToDouble(Math::log).sum() / seconds.size());
        }
    }
}
