package org.trainyard.experiments.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.comparison.Competition;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.yaml.ConfigWriter;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.Checkpoint;
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
            "Example: trainyard evaluate --checkpoint runs/quickstart/checkpoints/best --set cluster=medium",
            "Example: trainyard evaluate --checkpoint runs/ppo-seed1,runs/ppo-seed2,runs/ppo-seed3 --headroom"
        })
final class EvaluateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CONFIG", arity = "0..1", description = "The experiment, a YAML file.")
    private @Nullable String config;

    @Option(
            names = "--checkpoint",
            paramLabel = "DIR",
            split = ",",
            description =
                    "A checkpoint: its policy competes, in the experiment it was trained for unless CONFIG is given. Repeatable, for"
                            + " policies that differ in their seeds: they compete one by one and as one.")
    private List<String> checkpoints = List.of();

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

    @Option(
            names = "--headroom",
            description =
                    "Also show how much less the mean JCT could be: the best heuristic of every episode, what free preemption"
                            + " might reach, and what no schedule can go below.")
    private boolean headroom;

    @Option(names = "--timing", description = "Also show what each scheduler cost, in processor time.")
    private boolean timing;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        if (config == null && checkpoints.isEmpty()) {
            throw new InputException("evaluate: expected a CONFIG, or --checkpoint DIR, or both");
        }
        List<Checkpoint> policies = checkpoints.stream()
                .map(folder -> Checkpoint.open("--checkpoint", InputFiles.path(folder)))
                .toList();
        ExperimentConfig settings =
                options.read(config != null ? config : policies.get(0).config().toString());
        schedulers.forEach(name -> Schedulers.named("--schedulers", name));
        Competition competition = new Competition(
                policies, schedulers.isEmpty() ? settings.schedulers() : schedulers, tune, headroom, timing);
        try (Experiment experiment = new Experiment(settings)) {
            if (!policies.isEmpty()) {
                experiment.requirePlaceableJobs();
            }
            competition.run(experiment, directory(experiment), common.out());
        }
        return CommandLine.ExitCode.OK;
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
}
