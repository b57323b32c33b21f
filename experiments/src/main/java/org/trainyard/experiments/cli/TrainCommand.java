package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.run.Checkpoint;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.RunDirectory;
import org.trainyard.experiments.run.RunFolders;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trains a policy, or one for each of several seeds, and compares it with other schedulers on episodes that it never saw. */
@Command(
        name = "train",
        description = "Train placement policies, keep the best on validation episodes, compare it on test episodes.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard train experiments/configs/ppo.yaml --set learner.updates=100",
            "Example: trainyard train experiments/configs/ppo.yaml --seeds 1,2,3,4,5"
        })
final class TrainCommand implements Callable<Integer> {
    @Parameters(paramLabel = "CONFIG", description = "The experiment, a YAML file.")
    private @Nullable String config;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--seeds",
            paramLabel = "SEED",
            split = ",",
            description =
                    "Train once with each of these seeds, in a folder of its own (the run's, with -seedN behind), then compare"
                            + " all of them as one. Seeds that are finished are left alone.")
    private List<Long> seeds = List.of();

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
        if (seeds.stream().distinct().count() < seeds.size()) {
            throw InputException.at("--seeds", seeds, "each seed once");
        }
        ExperimentConfig settings = options.read(String.valueOf(config));
        if (seeds.isEmpty()) {
            // Before its folder, for it refuses what cannot be.
            Experiment experiment = new Experiment(settings);
            RunDirectory directory = RunFolders.create(settings, options.out());
            if (resume && !Training.isResumable(directory)) {
                throw new InputException("%s: holds no checkpoint of this configuration: expected one to --resume"
                        .formatted(directory.root()));
            }
            Training.requireDecided(directory, resume, restart);
            new Training(experiment, directory, resume).run(common.out());
        } else {
            trainSeeds(settings);
        }
        return CommandLine.ExitCode.OK;
    }

    private void trainSeeds(ExperimentConfig settings) {
        PrintWriter out = common.out();
        Experiment experiment = new Experiment(settings);
        List<Training> trainings =
                seeds.stream().map(seed -> training(settings.name(), seed)).toList();
        RunDirectory together = RunFolders.create(settings, options.out());
        List<Checkpoint> policies = new ArrayList<>();
        for (Training training : trainings) {
            RunDirectory directory = training.directory();
            if (Training.isFinished(directory) && !restart) {
                out.println("%s is finished".formatted(directory.root()));
            } else {
                training.run(out);
                out.println();
            }
            policies.add(Checkpoint.open("--seeds", directory.bestCheckpoint()));
        }
        new Competition(policies, settings.schedulers(), false, true, false).run(experiment, together, out);
    }

    /** The run of one seed; what cannot be is refused before the first begins. */
    private Training training(String name, long seed) {
        String suffix = "-seed" + seed;
        ExperimentConfig settings =
                options.read(String.valueOf(config), List.of("seed=" + seed, "name=" + name + suffix));
        Experiment experiment = new Experiment(settings);
        RunDirectory directory = RunFolders.create(settings, options.out() == null ? null : options.out() + suffix);
        Training.requireDecided(directory, resume, restart);
        return new Training(experiment, directory, resume && Training.isResumable(directory));
    }
}
