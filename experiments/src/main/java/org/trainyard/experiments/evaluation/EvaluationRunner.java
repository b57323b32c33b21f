package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.learned.policy.Policy;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.evaluation.SchedulerRuns.Role;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.run.Experiment;

/** Runs schedulers on the same episodes, one scheduler after the other; heuristics run several episodes at once. */
public final class EvaluationRunner {
    /** The trained policy's name in tables and files, and that of several seeds taken as one. */
    public static final String LEARNED = "learned";

    /** What the chosen member of the tuned family is called there. */
    public static final String TUNED = "tuned";

    private static final String FLOOR = "random";

    private final Experiment experiment;
    private final List<Workload> episodes;
    private final List<SchedulerRuns> runs = new ArrayList<>();
    private final List<DecisionCost> costs = new ArrayList<>();
    /** By name in the catalogue, the mean JCT of each episode, seconds. */
    private final Map<String, double[]> heuristics = new LinkedHashMap<>();

    /** One episode's result and what it cost. */
    private record Timed(RunResult result, DecisionCost cost) {}

    public EvaluationRunner(Experiment experiment, List<Workload> episodes) {
        this.experiment = experiment;
        this.episodes = List.copyOf(episodes);
    }

    /** Adds a scheduler of the catalogue. */
    public EvaluationRunner add(String name) {
        return add(name, name);
    }

    /** Adds the member of the tuned family that was chosen on other episodes. */
    public EvaluationRunner addTuned(ComposedSettings settings) {
        return add(TUNED, settings.name());
    }

    private EvaluationRunner add(String called, String name) {
        Role role = name.equals(FLOOR) ? Role.FLOOR : Role.HEURISTIC;
        add(
                called,
                role,
                experiment
                        .workers()
                        .map(episodes.size(), i -> run(called, experiment.scheduler(name, i), episodes.get(i))));
        if (role == Role.HEURISTIC) {
            heuristics.put(name, runs.get(runs.size() - 1).meanJctSeconds());
        }
        return this;
    }

    private Timed run(String called, Scheduler scheduler, Workload episode) {
        TimedScheduler timed = new TimedScheduler(scheduler, TimedScheduler::processorNanos);
        long start = TimedScheduler.processorNanos();
        RunResult result = experiment.simulator(episode).run(timed);
        double seconds = (TimedScheduler.processorNanos() - start) / 1e9;
        return new Timed(
                result,
                new DecisionCost(
                        called,
                        seconds,
                        timed.nanos() / 1e9,
                        timed.calls(),
                        episode.size(),
                        timed.decidingCalls(),
                        timed.perJob()));
    }

    private void add(String called, Role role, List<Timed> timed) {
        runs.add(new SchedulerRuns(
                called, role, timed.stream().map(Timed::result).toList()));
        timed.stream().map(Timed::cost).reduce(DecisionCost::plus).ifPresent(costs::add);
    }

    /** Adds the trained policy. */
    public EvaluationRunner add(PolicyNetwork policy) {
        return add(LEARNED, policy);
    }

    /** Adds one of several trained policies, which differ in the seeds of their training. */
    public EvaluationRunner addSeed(long seed, PolicyNetwork policy) {
        return add(seedName(seed), policy);
    }

    /** What the policy of a seed is called when there are several. */
    public static String seedName(long seed) {
        return LEARNED + "/" + seed;
    }

    private EvaluationRunner add(String called, PolicyNetwork policy) {
        try (Policy inference = policy.toInferencePolicy()) {
            add(
                    called,
                    Role.LEARNED,
                    ofEpisodes(
                            experiment,
                            inference,
                            episodes.size(),
                            i -> run(called, experiment.scheduler(inference), episodes.get(i))));
        }
        return this;
    }

    /** What each scheduler's runs cost, in the order in which they were added. */
    public List<DecisionCost> costs() {
        return List.copyOf(costs);
    }

    /** Everything compared; several seeds also as one. */
    public Evaluation evaluate() {
        long seed = experiment.config().seed();
        long policies = runs.stream().filter(run -> run.role() == Role.LEARNED).count();
        return policies > 1 ? Evaluation.pooled(runs, LEARNED, seed) : Evaluation.of(runs, seed);
    }

    /** How much less the mean JCTs of an evaluation of these runs could be. */
    public Headroom headroom(Evaluation evaluation) {
        return Headroom.of(
                evaluation,
                heuristics.isEmpty() ? null : switched(),
                episodes.stream()
                        .mapToDouble(experiment::preemptiveEstimateSeconds)
                        .toArray(),
                episodes.stream().map(experiment::bound).toList());
    }

    private double[] switched() {
        SwitchingScheduler switching = new SwitchingScheduler(experiment, heuristics);
        try (Progress progress = Progress.start("switch heuristics", episodes.size())) {
            AtomicInteger done = new AtomicInteger();
            List<Double> seconds = experiment
                    .workers()
                    .map(
                            episodes.size(),
                            i -> switching.meanJctSeconds(episodes.get(i), i),
                            () -> progress.to(done.incrementAndGet(), ""));
            return seconds.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    /**
     * Geometric mean over episodes of a policy's mean JCT, seconds. Validation minimises it because an arithmetic mean is dominated by the
     * episodes of high load with their long queues.
     */
    public static double geometricMeanJctSeconds(Experiment experiment, PolicyNetwork policy, List<Workload> episodes) {
        try (Policy inference = policy.toInferencePolicy()) {
            List<Double> logs = ofEpisodes(
                    experiment,
                    inference,
                    episodes.size(),
                    i -> Math.log(meanJctSeconds(experiment, inference, episodes.get(i))));
            return Math.exp(logs.stream().mapToDouble(log -> log).sum() / episodes.size());
        }
    }

    /** Runs a policy on episodes, in parallel when it is thread-safe. */
    private static <T> List<T> ofEpisodes(Experiment experiment, Policy policy, int count, IntFunction<T> run) {
        return policy.isThreadSafe()
                ? experiment.workers().map(count, run)
                : IntStream.range(0, count).mapToObj(run).toList();
    }

    /** A policy's mean JCT in an episode, seconds. */
    public static double meanJctSeconds(Experiment experiment, Policy policy, Workload episode) {
        return experiment.simulator(episode).run(experiment.scheduler(policy)).meanJctSeconds();
    }
}
