package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.ConfigOptions;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.report.ConsoleTable;
import org.trainyard.experiments.report.CostTable;
import org.trainyard.experiments.report.ResultFiles;
import org.trainyard.experiments.report.RunReport;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.TrainedPolicies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares schedulers and trained policies on the test episodes of an experiment. */
@Command(
        name = "evaluate",
        description = "Compare schedulers and trained policies on the test episodes of an experiment.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard evaluate experiments/configs/quickstart.yaml --schedulers fifo,sjf,las",
            "Example: trainyard evaluate experiments/configs/heuristics.yaml --tune",
            "Example: trainyard evaluate --checkpoint runs/quickstart/checkpoints/best --set cluster=medium",
            "Example: trainyard evaluate --checkpoint runs/ppo-seed1,runs/ppo-seed2,runs/ppo-seed3 --headroom"
        })
final class EvaluateCommand extends Subcommand {
    @Parameters(paramLabel = "CONFIG", arity = "0..1", description = "Experiment, a YAML file.")
    private @Nullable String config;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            split = ",",
            description = "Checkpoint of a trained policy, which is evaluated in the experiment it was trained for "
                    + "unless CONFIG is given. Repeatable for policies that differ only in their seeds; they "
                    + "are shown one by one and as their mean; one that lies in checkpoints/ is marked as shipped.")
    private List<String> checkpoints = List.of();

    @Option(
            names = "--schedulers",
            paramLabel = "NAME",
            split = ",",
            description = "Schedulers to compare, instead of those in the config.")
    private List<String> schedulers = List.of();

    @Option(
            names = "--tune",
            description =
                    "Choose the best of the tuned family and patient on the validation episodes and evaluate it as "
                            + "'tuned'.")
    private boolean tune;

    @Option(
            names = "--headroom",
            description = "Also show by how much the mean JCT could be lower: the best heuristic of each episode, "
                    + "rollouts over heuristics, an estimate for free preemption, and a lower bound on any "
                    + "schedule.")
    private boolean headroom;

    @Option(names = "--timing", description = "Also show the processor time of each scheduler.")
    private boolean timing;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Override
    void run() {
        if (config == null && checkpoints.isEmpty()) {
            throw new InputException("evaluate: expected a CONFIG, or --checkpoint DIR, or both");
        }
        List<Checkpoint> policies = checkpoints.stream()
                .map(folder -> Checkpoint.open("--checkpoint", InputFiles.path(folder)))
                .toList();
        ExperimentConfig settings =
                options.read(config != null ? config : policies.get(0).config().toString());
        schedulers.forEach(name -> Schedulers.named("--schedulers", name));
        TrainedPolicies trained = new TrainedPolicies(policies);
        ExperimentEvaluation.Plan plan = new ExperimentEvaluation.Plan(
                trained.networks(),
                trained.shipped(),
                schedulers.isEmpty() ? settings.schedulers() : schedulers,
                tune,
                headroom);
        try (Experiment experiment = new Experiment(settings)) {
            if (!policies.isEmpty()) {
                experiment.requirePlaceableJobs();
            }
            evaluate(experiment, plan, trained, timing, directory(experiment), out());
        }
    }

    /**
     * Evaluates, prints the tables and, given a directory, writes the result files.
     *
     * @param timing whether to print processor times, too
     */
    static void evaluate(
            Experiment experiment,
            ExperimentEvaluation.Plan plan,
            TrainedPolicies policies,
            boolean timing,
            @Nullable RunDirectory directory,
            PrintWriter out) {
        ExperimentEvaluation results = ExperimentEvaluation.of(experiment, plan);
        List<String> remarks = new ArrayList<>(experiment.remarks());
        if (results.tuning() != null) {
            remarks.add(results.tuning().remark());
        }
        remarks.addAll(policies.remarks());
        remarks.addAll(Schedulers.caveats(plan.schedulers()));
        out.println("%s on %s, %d test episodes"
                .formatted(
                        experiment.config().name(),
                        experiment.topology(),
                        results.evaluation().episodes()));
        remarks.forEach(remark -> out.println("note: " + remark));
        out.println();
        out.print(ConsoleTable.render(results.evaluation(), Progress.onTerminal()));
        if (results.headroom() != null) {
            out.print("\n" + ConsoleTable.headroom(results.headroom()));
        }
        if (timing) {
            out.print("\n" + CostTable.render(results.costs()));
        }
        out.flush();
        if (directory != null) {
            if (results.tuning() != null) {
                AtomicFiles.write(
                        directory.tuning(), JsonText.pretty(results.tuning().json()));
            }
            RunReport report = new RunReport(
                    experiment.config(),
                    results.evaluation(),
                    remarks,
                    results.headroom(),
                    List.of(),
                    policies.curves());
            ResultFiles.write(directory, report, results.timing());
            out.println("report: %s".formatted(directory.report()));
        }
    }

    /** The folder for the results, or null without {@code --out}; a folder that cannot be used is refused before any run. */
    private @Nullable RunDirectory directory(Experiment experiment) {
        return options.out() == null
                ? null
                : RunDirectory.create(
                        InputFiles.path(String.valueOf(options.out())),
                        ConfigWriter.yaml(experiment.config()),
                        RunDirectory.OtherRun.REFUSE);
    }
}
