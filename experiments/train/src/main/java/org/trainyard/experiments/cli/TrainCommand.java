package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.ConfigOptions;
import org.trainyard.experiments.cli.options.ResumeOptions;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.RunLogs;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.run.RunFolders;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.TrainedPolicies;
import org.trainyard.experiments.training.TrainingPlugin;
import org.trainyard.experiments.training.TrainingSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Trains a policy, in one run, in the stages of a curriculum, or once for each of several seeds, and compares it with
 * schedulers on test episodes.
 */
@Command(
        name = "train",
        description = {
            "Train a policy and compare it with schedulers.",
            "The best policy on validation episodes is kept and compared on test episodes."
        },
        footer = {
            "",
            "Example: trainyard train experiments/configs/quickstart.yaml --set learner.updates=100",
            "Example: trainyard train experiments/configs/quickstart.yaml --seeds 1,2,3,4,5",
            "Example: trainyard train experiments/configs/auction/no-preemption.yaml --seeds 1,2,3 --mean",
            "Example: trainyard train experiments/configs/auction/{scratch,contended}.yaml",
            "Example: trainyard train experiments/configs/games/one-unit.yaml"
        })
public final class TrainCommand extends Subcommand {
    @Parameters(
            paramLabel = "CONFIG",
            arity = "1..*",
            description = "Experiment, a YAML file. Several files are the stages of a curriculum, each from the "
                    + "best policy of the stage before; with --out all but the last write to DIR-stageN.")
    private List<String> configs = List.of();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Mixin
    private ResumeOptions earlier = new ResumeOptions();

    @Option(
            names = "--seeds",
            paramLabel = "SEED",
            split = ",",
            description = "Train once per seed, in runs named -seedN, then evaluate all policies together.")
    private List<Long> seeds = List.of();

    @Option(names = "--mean", description = "With --seeds, also make the mean of their scores a policy in runs/NAME.")
    private boolean mean;

    /** Folders whose locks are held to the end. */
    private final List<RunDirectory> claimed = new ArrayList<>();

    @Override
    protected void run() {
        try {
            train();
        } finally {
            claimed.forEach(RunDirectory::close);
        }
    }

    private void train() {
        if (seeds.stream().distinct().count() < seeds.size()) {
            throw InputException.at("--seeds", seeds, "each seed once");
        }
        if (mean && seeds.size() < 2) {
            throw InputException.at("--mean", seeds, "two seeds or more by --seeds");
        }
        TrainingPlugin other = configs.size() == 1 ? TrainingPlugin.of(InputFiles.path(configs.get(0))) : null;
        if (other != null) {
            train(other, InputFiles.path(configs.get(0)));
        } else if (mean) {
            trainMean();
        } else if (!seeds.isEmpty()) {
            trainSeeds();
        } else if (configs.size() > 1) {
            trainStages(stages(null));
            sayThatOneSeedSaysLittle();
        } else {
            trainOne();
        }
    }

    private void train(TrainingPlugin other, Path file) {
        if (!seeds.isEmpty()) {
            throw InputException.at(
                    "--seeds",
                    seeds,
                    "nothing for a %s (--set seed=N trains it with another seed)".formatted(other.key()));
        }
        TrainingPlugin.Run training = other.read(file, options.overrides());
        RunDirectory directory = RunFolders.create(training.name(), training.yaml(), options.out(), earlier.otherRun());
        claimed.add(directory);
        boolean goOn = TrainingSession.goesOn(directory, earlier.isResumed(), earlier.isReplaced());
        if (!isFinished(directory)) {
            training.train(directory, goOn, out());
        }
    }

    /** Whether nothing is left to do; says so. */
    private boolean isFinished(RunDirectory directory) {
        boolean isFinished = TrainingSession.isFinished(directory) && !earlier.isReplaced();
        if (isFinished) {
            out().println("%s is finished; --replace starts anew".formatted(directory.root()));
        }
        return isFinished;
    }

    private RunDirectory claim(ExperimentConfig settings, @Nullable String out) {
        RunDirectory directory = RunFolders.create(settings, out, earlier.otherRun());
        claimed.add(directory);
        return directory;
    }

    /** The experiment, whose jobs agents can place and do not kill where their log did not. */
    private Experiment experiment(ExperimentConfig settings) {
        Experiment experiment = new Experiment(settings);
        experiment.requirePlaceableJobs();
        if (experiment.mayKillLogged() && !settings.workload().runsAsLogged()) {
            List<String> first =
                    Schedulers.here(settings.schedulers()).stream().limit(1).toList();
            ExperimentEvaluation.of(experiment, ExperimentEvaluation.Plan.of(first));
        }
        return experiment;
    }

    private void trainOne() {
        ExperimentConfig settings = options.read(configs.get(0));
        // Before the folder is made, because a config that cannot be run is refused here.
        try (Experiment experiment = experiment(settings)) {
            RunDirectory directory = claim(settings, options.out());
            boolean goOn = TrainingSession.goesOn(directory, earlier.isResumed(), earlier.isReplaced());
            if (!isFinished(directory)) {
                new TrainingSession(experiment, directory, goOn).run(out());
                sayThatOneSeedSaysLittle();
            }
        }
    }

    private void sayThatOneSeedSaysLittle() {
        out().println("One seed says little; --seeds 1,2,3 trains three and compares them together.");
    }

    private void trainSeeds() {
        ExperimentConfig settings = options.read(configs.get(configs.size() - 1));
        try (Experiment experiment = experiment(settings)) {
            List<List<TrainingSession>> trainings =
                    seeds.stream().map(this::stages).toList();
            RunDirectory together = claim(settings, options.out());
            List<Checkpoint> policies = new ArrayList<>();
            for (Path best : trainAll(trainings)) {
                policies.add(Checkpoint.open("--seeds", best));
            }
            TrainedPolicies trained = new TrainedPolicies(policies);
            EvaluationOutput.tables(out())
                    .evaluate(
                            experiment,
                            new ExperimentEvaluation.Plan(
                                    trained.networks(),
                                    trained.shipped(),
                                    Schedulers.here(settings.schedulers()),
                                    false),
                            trained,
                            null,
                            together,
                            RunLogs.NONE);
        }
    }

    /** Trains with every seed, and then a policy that starts from the mean of theirs and makes no update. */
    private void trainMean() {
        List<List<TrainingSession>> trainings = seeds.stream().map(this::stages).toList();
        String from = trainings.stream()
                .map(stages -> "'%s'"
                        .formatted(stages.get(stages.size() - 1).directory().bestCheckpoint()))
                .collect(Collectors.joining(", "));
        String config = configs.get(configs.size() - 1);
        List<String> values =
                List.of("learner.start={type: Ensemble, from: [%s]}".formatted(from), "learner.updates=0");
        RunDirectory directory = claim(options.read(config, values), options.out());
        trainAll(trainings);
        try (Experiment experiment = experiment(options.read(config, values))) {
            new TrainingSession(experiment, directory, false).run(out());
        }
    }

    /** Trains what is unfinished; returns the best checkpoint of each training. */
    private List<Path> trainAll(List<List<TrainingSession>> trainings) {
        return trainings.stream().map(this::trainStages).toList();
    }

    /** Trains the unfinished stages one after another; returns the best checkpoint of the last stage. */
    private Path trainStages(List<TrainingSession> stages) {
        PrintWriter out = out();
        Path best = Path.of("");
        // All of them before the first begins, so that the same is found after an interruption.
        stages.stream()
                .filter(stage -> !stage.goOn())
                .map(TrainingSession::directory)
                .forEach(RunDirectory::clear);
        for (TrainingSession training : stages) {
            RunDirectory directory = training.directory();
            if (!isFinished(directory)) {
                try (training) {
                    training.run(out);
                }
                out.println();
            }
            best = directory.bestCheckpoint();
        }
        return best;
    }

    /**
     * The sessions of all stages, with this seed if there is one; impossible configs are refused before the first stage
     * begins. After a stage that is not finished all stages start anew, because they start from its policy.
     */
    private List<TrainingSession> stages(@Nullable Long seed) {
        List<TrainingSession> stages = new ArrayList<>();
        boolean isFinished = true;
        for (int i = 0; i < configs.size(); i++) {
            List<String> values = new ArrayList<>();
            if (i > 0) {
                values.addAll(startFrom(stages.get(i - 1).directory().bestCheckpoint()));
            }
            TrainingSession stage =
                    training(configs.get(i), i < configs.size() - 1 ? "-stage" + (i + 1) : "", seed, values);
            stages.add(new TrainingSession(stage.experiment(), stage.directory(), isFinished && stage.goOn()));
            isFinished &= stage.goOn() && TrainingSession.isFinished(stage.directory());
        }
        return stages;
    }

    /** The values with which a config continues a checkpoint. */
    private static List<String> startFrom(Path checkpoint) {
        return List.of("learner.start={type: Checkpoint, from: '%s'}".formatted(checkpoint));
    }

    private TrainingSession training(String config, String stage, @Nullable Long seed, List<String> values) {
        String suffix = seed == null ? "" : "-seed" + seed;
        if (seed != null) {
            values.add("seed=" + seed);
            values.add("name=" + options.read(config).name() + suffix);
        }
        ExperimentConfig settings = options.read(config, values);
        Experiment experiment = experiment(settings);
        RunDirectory directory = claim(settings, options.out() == null ? null : options.out() + stage + suffix);
        return new TrainingSession(
                experiment, directory, TrainingSession.goesOn(directory, earlier.isResumed(), earlier.isReplaced()));
    }
}
