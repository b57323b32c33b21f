package org.trainyard.experiments.evaluation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.env.gym.registry.AuxiliaryPolicy;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/**
 * The evaluation of schedulers and trained policies on the test episodes of an experiment.
 *
 * @param costs processor time of each scheduler, in the order in which they ran
 * @param tuning null unless asked for
 * @param seconds wall-clock time of the whole evaluation
 */
public record ExperimentEvaluation(
        Evaluation evaluation, List<DecisionCost> costs, Tuning.@Nullable Outcome tuning, double seconds) {
    /** Name of a trained policy. */
    public static final String LEARNED = "learned";

    /** Name of a policy before its first update. */
    public static final String UNTRAINED = "untrained";

    private static final String TUNED = "tuned";

    /**
     * A trained policy and its start.
     *
     * @param untrained the policy before its first update, or null when it is not recorded
     */
    public record Trained(
            Supplier<BidPolicy> policy, @Nullable Supplier<BidPolicy> untrained) {}

    /**
     * The policies and schedulers of an evaluation.
     *
     * @param policies trained policies by name; each is opened, run and closed in turn, and its untrained start after
     *     it
     * @param isPooled whether the policies are seeds of one training, at least two, and compared as one
     * @param shipped the name of that one of several policies that ships with the project, or null
     * @param schedulers names from the registry
     * @param tune whether to add the best member of the tuned family on the validation episodes, as {@value #TUNED}
     * @param rules each makes another run of every policy, with the rule beside it
     */
    public record Plan(
            Map<String, Trained> policies,
            boolean isPooled,
            @Nullable String shipped,
            List<String> schedulers,
            boolean tune,
            List<AuxiliaryPolicy> rules) {
        public Plan {
            policies = new LinkedHashMap<>(policies);
            schedulers = List.copyOf(schedulers);
            rules = List.copyOf(rules);
        }

        /** A plan without rules beside policies, which are pooled when there are several. */
        public Plan(Map<String, Trained> policies, @Nullable String shipped, List<String> schedulers, boolean tune) {
            this(policies, policies.size() > 1, shipped, schedulers, tune, List.of());
        }

        /** How many schedulers run, untrained starts and the tuned one among them. */
        public int runs() {
            return schedulers.size() + (2 + rules.size()) * policies.size() + (tune ? 1 : 0);
        }

        /** Schedulers alone. */
        public static Plan of(List<String> schedulers) {
            return new Plan(Map.of(), null, schedulers, false);
        }

        public Plan withSchedulers(List<String> others) {
            return new Plan(policies, isPooled, shipped, others, tune, rules);
        }
    }

    /** Runs everything in the plan. */
    public static ExperimentEvaluation of(Experiment experiment, Plan plan) {
        return of(experiment, plan, null);
    }

    /** Runs everything in the plan and, given a recorder, records the runs of the evaluated schedulers. */
    public static ExperimentEvaluation of(Experiment experiment, Plan plan, @Nullable RunRecording recorder) {
        return new Running(experiment, plan, recorder).evaluate();
    }

    /** Returns this evaluation with comparisons against a scheduler of one's choice. */
    public ExperimentEvaluation against(String name) {
        return new ExperimentEvaluation(evaluation.against(name), costs, tuning, seconds);
    }

    /** {@code timing.json}: wall-clock and processor times. */
    public record Timing(double testingSeconds, List<DecisionCost> schedulers) {}

    public Timing timing() {
        return new Timing(seconds, costs);
    }

    /** An evaluation in progress. */
    private static final class Running {
        private final Experiment experiment;
        private final Plan plan;
        private final EpisodeSet episodes;
        private final EvaluationRunner runner;
        private final List<SchedulerRuns> runs = new ArrayList<>();
        private final List<DecisionCost> costs = new ArrayList<>();
        /** By the name of a trained policy, that of its untrained start. */
        private final Map<String, String> starts = new LinkedHashMap<>();

        Running(Experiment experiment, Plan plan, @Nullable RunRecording recorder) {
            plan.schedulers().forEach(experiment::requireServed);
            this.experiment = experiment;
            this.plan = plan;
            episodes = EpisodeSet.test(experiment);
            runner = new EvaluationRunner(experiment, episodes).recordedBy(recorder);
        }

        ExperimentEvaluation evaluate() {
            long start = System.nanoTime();
            plan.policies().forEach((name, trained) -> addPolicy(name, trained.policy()));
            addUntrained();
            Tuning.Outcome tuning = plan.tune() ? Tuning.installed().of(experiment) : null;
            if (tuning != null) {
                add(SchedulerFactory.registered(experiment, tuning.member()).named(TUNED));
            }
            try (Progress progress =
                    Progress.start("evaluate", plan.schedulers().size())) {
                for (int i = 0; i < plan.schedulers().size(); i++) {
                    String name = plan.schedulers().get(i);
                    progress.to(i, name);
                    add(SchedulerFactory.registered(experiment, name));
                }
                progress.to(plan.schedulers().size(), "all schedulers");
            }
            return new ExperimentEvaluation(
                    evaluation(), List.copyOf(costs), tuning, (System.nanoTime() - start) / 1e9);
        }

        private Evaluation evaluation() {
            EpisodeSample sample = new EpisodeSample(experiment.config().seed(), experiment.testsOverlap());
            int policies = plan.policies().size();
            return plan.isPooled()
                    ? Evaluation.pooled(runs, SeedPool.meanOf(LEARNED, policies), plan.shipped(), starts, sample)
                    : Evaluation.of(runs, starts, sample);
        }

        private void addPolicy(String name, Supplier<BidPolicy> policy) {
            BidPolicy network = policy.get();
            SchedulerFactory learned = SchedulerFactory.learned(experiment, name, network);
            add(learned);
            plan.rules().forEach(rule -> add(learned.with(rule, experiment)));
        }

        /** Runs the untrained starts; starts that decide alike, as those of a search do, are one. */
        private void addUntrained() {
            Map<String, SchedulerRuns> byHash = new LinkedHashMap<>();
            plan.policies().forEach((name, trained) -> {
                if (trained.untrained() != null) {
                    SchedulerRuns ran = untrained(name, trained.untrained());
                    SchedulerRuns known = byHash.putIfAbsent(hashes(ran), ran);
                    starts.put(name, known == null ? ran.name() : known.name());
                }
            });
            if (byHash.size() == 1 && !starts.containsValue(UNTRAINED)) {
                SchedulerRuns one = byHash.values().iterator().next();
                runs.add(new SchedulerRuns(UNTRAINED, one.role(), one.episodes()));
                starts.replaceAll((name, start) -> UNTRAINED);
            } else {
                runs.addAll(byHash.values());
            }
        }

        private SchedulerRuns untrained(String learned, Supplier<BidPolicy> policy) {
            String name = UNTRAINED + learned.substring(LEARNED.length()).split(" ", 2)[0];
            BidPolicy network = policy.get();
            return run(SchedulerFactory.learned(experiment, name, network).untrained());
        }

        private static String hashes(SchedulerRuns runs) {
            return runs.episodes().stream().map(RunResult::eventLogSha256).collect(Collectors.joining(","));
        }

        private void add(SchedulerFactory scheduler) {
            runs.add(run(scheduler));
        }

        private SchedulerRuns run(SchedulerFactory scheduler) {
            List<TimedScheduler.Run> timed = runner.timed(scheduler);
            timed.stream()
                    .map(TimedScheduler.Run::cost)
                    .reduce(DecisionCost::plus)
                    .ifPresent(costs::add);
            SchedulerRuns ran = new SchedulerRuns(
                    scheduler.name(),
                    scheduler.role(),
                    timed.stream().map(TimedScheduler.Run::result).toList());
            experiment.requireNoMoreKilled(ran.name(), ran.timedOut(), episodes.workloads());
            return ran;
        }
    }
}
