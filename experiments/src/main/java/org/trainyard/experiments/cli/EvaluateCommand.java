package org.trainyard.experiments.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.PolicyNetwork;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ConfigWriter;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.InputFiles;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.report.ConsoleTable;
import org.trainyard.experiments.report.SummaryJson;
import org.trainyard.experiments.run.AtomicFiles;
import org.trainyard.experiments.run.Checkpoint;
import org.trainyard.experiments.run.Contest;
import org.trainyard.experiments.run.DecisionCost;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.Progress;
import org.trainyard.experiments.run.Results;
import org.trainyard.experiments.run.RunDirectory;
import org.trainyard.experiments.run.Tuning;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares schedulers, and a trained policy if there is one, on the test episodes of an experiment. */
@Command(
        name = "evaluate",
        description = "Compare schedulers, and a trained policy if there is one, on an experiment's test episodes.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard evaluate experiments/configs/quickstart.yaml --schedulers fifo,sjf,las",
            "Example: trainyard evaluate experiments/configs/heuristics.yaml --tune",
            "Example: trainyard evaluate --checkpoint runs/quickstart/checkpoints/best --set cluster=medium"
        })
final class EvaluateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CONFIG", arity = "0..1", description = "The experiment, a YAML file.")
    private @Nullable String config;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            description =
                    "A checkpoint: its policy competes, in the experiment it was trained for unless CONFIG is given.")
    private @Nullable String checkpoint;

    @Option(
            names = "--schedulers",
            paramLabel = "NAME",
            split = ",",
            description = "Schedulers to compare instead of the config's.")
    private List<String> schedulers = List.of();

    @Option(
            names = "--tune",
            description = "Choose a member of the tuned family on the validation episodes; it competes as 'tuned'.")
    private boolean tune;

    @Option(names = "--timing", description = "Also show what each scheduler cost, in processor time.")
    private boolean timing;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Mixin
    private Common common = new Common();

    @Override
    public Integer call() {
        if (config == null && checkpoint == null) {
            throw new InputException("evaluate: expected a CONFIG, or --checkpoint DIR, or both");
        }
        Checkpoint trained = checkpoint == null ? null : Checkpoint.open("--checkpoint", InputFiles.path(checkpoint));
        ExperimentConfig settings =
                options.read(config != null ? config : String.valueOf(trained == null ? null : trained.config()));
        schedulers.forEach(name -> Schedulers.named("--schedulers", name));
        Experiment experiment = new Experiment(settings);
        RunDirectory directory = directory(experiment);
        long start = System.nanoTime();
        Contest contest = new Contest(experiment, experiment.test());
        if (trained != null) {
            try (PolicyNetwork policy = trained.policy()) {
                contest.add(policy);
            }
        }
        Tuning.Outcome tuning = tune ? Tuning.of(experiment) : null;
        if (tuning != null) {
            contest.addTuned(tuning.best().settings());
        }
        compete(contest, schedulers.isEmpty() ? settings.schedulers() : schedulers);
        Evaluation evaluation = contest.evaluate();
        List<String> remarks = new ArrayList<>(experiment.remarks());
        if (tuning != null) {
            remarks.add(tuning.remark());
        }
        print(experiment, evaluation, remarks);
        if (timing) {
            common.out().print("\n" + ConsoleTable.costs(contest.costs()));
            common.out().flush();
        }
        if (directory != null) {
            ObjectNode times = JsonNodeFactory.instance.objectNode();
            times.put("testing_seconds", (System.nanoTime() - start) / 1e9);
            times.set("schedulers", DecisionCost.json(contest.costs()));
            write(directory, experiment, evaluation, remarks, tuning, times);
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(Experiment experiment, Evaluation evaluation, List<String> remarks) {
        PrintWriter out = common.out();
        out.println("%s on %s, %d test episodes"
                .formatted(experiment.config().name(), experiment.topology(), evaluation.episodes()));
        remarks.forEach(remark -> out.println("note: " + remark));
        out.println();
        out.print(ConsoleTable.render(evaluation, Progress.onTerminal()));
        out.flush();
    }

    /** Where the results go, or null for nowhere; refused before anything long begins. */
    private @Nullable RunDirectory directory(Experiment experiment) {
        return options.out() == null
                ? null
                : RunDirectory.create(
                        InputFiles.path(String.valueOf(options.out())),
                        ConfigWriter.yaml(experiment.config()),
                        RunDirectory.OtherRun.REFUSE);
    }

    private static void compete(Contest contest, List<String> names) {
        try (Progress progress = Progress.start("evaluate", names.size())) {
            for (int i = 0; i < names.size(); i++) {
                progress.to(i, names.get(i));
                contest.add(names.get(i));
            }
            progress.to(names.size(), "all schedulers");
        }
    }

    private void write(
            RunDirectory directory,
            Experiment experiment,
            Evaluation evaluation,
            List<String> remarks,
            Tuning.@Nullable Outcome tuning,
            ObjectNode times) {
        if (tuning != null) {
            AtomicFiles.write(directory.tuning(), SummaryJson.pretty(tuning.json()));
        }
        Results.write(directory, experiment.config(), evaluation, remarks, List.of(), times);
        common.out().println("report: %s".formatted(directory.report()));
    }
}
