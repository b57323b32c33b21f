package org.trainyard.experiments.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.PolicyNetwork;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.report.ConsoleTable;
import org.trainyard.experiments.run.Contest;
import org.trainyard.experiments.run.DecisionCost;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.Progress;
import org.trainyard.experiments.run.Results;
import org.trainyard.experiments.run.RunDirectory;
import org.trainyard.experiments.run.RunFolders;
import org.trainyard.experiments.run.TrainingRun;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trains a policy and compares it with other schedulers on episodes that it never saw. */
@Command(
        name = "train",
        description = "Train placement policies, keep the best on validation episodes, compare it on test episodes.",
        sortOptions = false,
        footer = {"", "Example: trainyard train experiments/configs/ppo.yaml --set learner.updates=100"})
final class TrainCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CONFIG", description = "The experiment, a YAML file.")
    private @Nullable String config;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--resume", description = "Go on from the run's last checkpoint.")
    private boolean resume;

    @Option(names = "--restart", description = "Train anew although there is a checkpoint to go on from.")
    private boolean restart;

    @Mixin
    private Common common = new Common();

    @Override
    public Integer call() {
        if (resume && restart) {
            throw new InputException("train: expected --resume or --restart, not both");
        }
        ExperimentConfig settings = options.read(String.valueOf(config));
        Experiment experiment = new Experiment(settings);
        RunDirectory directory = RunFolders.create(settings, options.out());
        boolean goOn = goesOn(directory);
        PrintWriter out = common.out();
        out.println("%s on %s, %d agents; everything goes to %s"
                .formatted(
                        settings.name(),
                        experiment.topology(),
                        experiment.domains().count(),
                        directory.root()));
        experiment.remarks().forEach(remark -> out.println("note: " + remark));
        out.flush();

        TrainingRun run = new TrainingRun(experiment, directory);
        Thread hint = new Thread(() -> System.err.println("\ninterrupted: the same command with --resume goes on"));
        Runtime.getRuntime().addShutdownHook(hint);
        run.train(goOn);
        compare(experiment, run, directory);
        Runtime.getRuntime().removeShutdownHook(hint);
        return CommandLine.ExitCode.OK;
    }

    private boolean goesOn(RunDirectory directory) {
        boolean resumable = TrainingRun.isResumable(directory);
        if (resume && !resumable) {
            throw new InputException("%s: holds no checkpoint of this configuration: expected one to --resume"
                    .formatted(directory.root()));
        }
        if (resumable && !resume && !restart && !Files.exists(directory.summary())) {
            throw new InputException("%s: holds an unfinished run of this configuration: expected --resume or --restart"
                    .formatted(directory.root()));
        }
        return resume;
    }

    private void compare(Experiment experiment, TrainingRun run, RunDirectory directory) {
        long start = System.nanoTime();
        Contest contest = new Contest(experiment, experiment.test());
        try (PolicyNetwork policy = run.bestPolicy()) {
            contest.add(policy);
        }
        experiment.config().schedulers().forEach(contest::add);
        Evaluation evaluation = contest.evaluate();
        ObjectNode timing = run.timing();
        timing.put("testing_seconds", (System.nanoTime() - start) / 1e9);
        timing.set("schedulers", DecisionCost.json(contest.costs()));
        List<String> remarks = new ArrayList<>(experiment.remarks());
        remarks.add(run.summary());
        Results.write(directory, experiment.config(), evaluation, remarks, run.curves(), timing);
        PrintWriter out = common.out();
        out.println(run.summary());
        out.println();
        out.print(ConsoleTable.render(evaluation, Progress.onTerminal()));
        out.println("report: %s".formatted(directory.report()));
        out.flush();
    }
}
