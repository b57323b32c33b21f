package org.trainyard.experiments.comparison;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.PolicyNetwork;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.evaluation.DecisionCost;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.Headroom;
import org.trainyard.experiments.evaluation.Tuning;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.report.ConsoleTable;
import org.trainyard.experiments.report.CostTable;
import org.trainyard.experiments.report.HtmlReport;
import org.trainyard.experiments.report.ResultFiles;
import org.trainyard.experiments.report.SummaryJson;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.SeedLogs;

/**
 * Trained policies and schedulers on an experiment's test episodes, from the first run to the table and the files.
 *
 * @param policies of one training, or of several that differ in their seeds; may be empty
 * @param schedulers names of the catalogue
 * @param tune whether the tuned family sends a member, chosen on the validation episodes
 * @param headroom whether to say how much less the mean JCT could be
 * @param timing whether to say what everybody cost
 */
public record Competition(
        List<Checkpoint> policies, List<String> schedulers, boolean tune, boolean headroom, boolean timing) {

    public Competition {
        policies = List.copyOf(policies);
        schedulers = List.copyOf(schedulers);
        seeds(policies);
    }

    /** Who takes part and what became of it. */
    private record Outcome(
            EvaluationRunner contest,
            Evaluation evaluation,
            @Nullable Headroom headroom,
            Tuning.@Nullable Outcome tuning,
            List<String> remarks,
            SeedLogs logs) {}

    /** Runs everything, prints it and, with a directory, writes it. */
    public void run(Experiment experiment, @Nullable RunDirectory directory, PrintWriter out) {
        Map<Long, Checkpoint> seeds = seeds(policies);
        long start = System.nanoTime();
        Outcome outcome = compete(experiment, seeds);
        print(experiment, outcome, out);
        if (directory != null) {
            ObjectNode times = JsonNodeFactory.instance.objectNode();
            times.put("testing_seconds", (System.nanoTime() - start) / 1e9);
            times.set("schedulers", DecisionCost.json(outcome.contest.costs()));
            write(directory, experiment.config(), outcome, times);
            out.println("report: %s".formatted(directory.report()));
        }
    }

    /** Several policies by the seed of their training, each seed once; empty when there are fewer than two. */
    private static Map<Long, Checkpoint> seeds(List<Checkpoint> policies) {
        Map<Long, Checkpoint> seeds = new LinkedHashMap<>();
        if (policies.size() > 1) {
            for (Checkpoint policy : policies) {
                long seed = config(policy).seed();
                Checkpoint before = seeds.putIfAbsent(seed, policy);
                if (before != null) {
                    throw InputException.at(
                            "--checkpoint",
                            policy.folder(),
                            "a policy of another seed than %d, which is that of %s".formatted(seed, before.folder()));
                }
            }
        }
        return seeds;
    }

    private static ExperimentConfig config(Checkpoint policy) {
        return ConfigReader.read(policy.config(), List.of());
    }

    private Outcome compete(Experiment experiment, Map<Long, Checkpoint> seeds) {
        EvaluationRunner contest = new EvaluationRunner(experiment, experiment.test());
        SeedLogs logs = new SeedLogs();
        seeds.forEach((seed, checkpoint) -> {
            try (PolicyNetwork policy = checkpoint.policy()) {
                contest.addSeed(seed, policy);
            }
            logs.add(EvaluationRunner.seedName(seed), checkpoint);
        });
        if (policies.size() == 1) {
            try (PolicyNetwork policy = policies.get(0).policy()) {
                contest.add(policy);
            }
        }
        Tuning.Outcome tuning = tune ? Tuning.of(experiment) : null;
        if (tuning != null) {
            contest.addTuned(tuning.best().settings());
        }
        addSchedulers(contest);
        Evaluation evaluation = contest.evaluate();
        return new Outcome(
                contest,
                evaluation,
                headroom ? contest.headroom(evaluation) : null,
                tuning,
                remarks(experiment, tuning),
                logs);
    }

    private void addSchedulers(EvaluationRunner contest) {
        try (Progress progress = Progress.start("evaluate", schedulers.size())) {
            for (int i = 0; i < schedulers.size(); i++) {
                progress.to(i, schedulers.get(i));
                contest.add(schedulers.get(i));
            }
            progress.to(schedulers.size(), "all schedulers");
        }
    }

    private List<String> remarks(Experiment experiment, Tuning.@Nullable Outcome tuning) {
        List<String> remarks = new ArrayList<>(experiment.remarks());
        if (tuning != null) {
            remarks.add(tuning.remark());
        }
        if (policies.size() > 1
                && policies.stream().map(p -> withoutSeed(config(p))).distinct().count() > 1) {
            remarks.add(
                    "the trained policies differ in more than the seeds of their training: taken as one they mean little");
        }
        return remarks;
    }

    /** What must be the same for policies that differ in their seeds alone. */
    private static List<String> withoutSeed(ExperimentConfig config) {
        return ConfigWriter.yaml(config)
                .lines()
                .filter(line -> !line.startsWith("seed:") && !line.startsWith("name:"))
                .toList();
    }

    private void print(Experiment experiment, Outcome outcome, PrintWriter out) {
        Evaluation evaluation = outcome.evaluation;
        out.println("%s on %s, %d test episodes"
                .formatted(experiment.config().name(), experiment.topology(), evaluation.episodes()));
        outcome.remarks.forEach(remark -> out.println("note: " + remark));
        out.println();
        out.print(ConsoleTable.render(evaluation, Progress.onTerminal()));
        if (outcome.headroom != null) {
            out.print("\n" + ConsoleTable.headroom(outcome.headroom));
        }
        if (timing) {
            out.print("\n" + CostTable.render(outcome.contest.costs()));
        }
        out.flush();
    }

    private static void write(RunDirectory directory, ExperimentConfig config, Outcome outcome, ObjectNode times) {
        if (outcome.tuning != null) {
            AtomicFiles.write(directory.tuning(), SummaryJson.pretty(outcome.tuning.json()));
        }
        HtmlReport.Content content = new HtmlReport.Content(
                config.name(),
                ConfigWriter.yaml(config),
                outcome.evaluation,
                outcome.remarks,
                outcome.headroom,
                List.of(),
                outcome.logs.curves());
        ResultFiles.write(directory, config, outcome.evaluation, content, times);
    }
}
