package org.trainyard.experiments.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.env.gym.registry.AuxiliaryPolicy;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.cli.options.ConfigOptions;
import org.trainyard.experiments.cli.options.EventOptions;
import org.trainyard.experiments.cli.options.FleetOption;
import org.trainyard.experiments.cli.options.JsonOption;
import org.trainyard.experiments.cli.options.RankingOptions;
import org.trainyard.experiments.cli.options.ReplaceOption;
import org.trainyard.experiments.cli.options.Subcommand;
import org.trainyard.experiments.cli.options.TableOption;
import org.trainyard.experiments.cli.options.VerboseOption;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.evaluation.ExperimentEvaluation;
import org.trainyard.experiments.evaluation.RunRecording;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.RunDirectory;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.run.Experiment;
import org.trainyard.experiments.training.Checkpoint;
import org.trainyard.experiments.training.PolicyFit;
import org.trainyard.experiments.training.TrainedPolicies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares schedulers and trained policies on the test episodes of an experiment. */
@Command(
        name = "evaluate",
        description = "Compare schedulers and trained policies on the test episodes of an experiment.",
        footer = {
            "",
            "Example: trainyard evaluate experiments/configs/quickstart.yaml --schedulers fifo,sjf,las",
            "Example: trainyard evaluate experiments/configs/heuristics.yaml --tune",
            "Example: trainyard evaluate --checkpoint runs/quickstart/checkpoints/best --set cluster=medium",
            "Example: trainyard evaluate --checkpoint runs/ppo-seed1,runs/ppo-seed2,runs/ppo-seed3",
            "Example: trainyard evaluate --checkpoint checkpoints/default,checkpoints/restarts --schedulers fifo,srtf",
            "Example: trainyard evaluate --checkpoint checkpoints/default --beside freeze=progress "
                    + "--set \"workload.freezing={share: 0.5, tolerance: 0.03, weight: 1.0, caches: false}\"",
            "Example: trainyard evaluate experiments/configs/heuristics.yaml --tune --on local-cluster[2,1,1024]"
        })
public final class EvaluateCommand extends Subcommand {
    @Parameters(paramLabel = "CONFIG", arity = "0..1", description = "Experiment, a YAML file.")
    private @Nullable String config;

    @Mixin
    private CommonOption checkpoints = CommonOption.checkpoint(
                    "Checkpoint of a trained policy, evaluated in its own experiment unless CONFIG is "
                            + "given. Repeatable: policies that differ only in their seeds also get a row for their "
                            + "mean; others are compared pairwise. learned: the shipped one for these rules of "
                            + "preemption.")
            .list();

    @Option(
            names = "--beside",
            paramLabel = "RULE",
            split = ",",
            description = "Auxiliary policies, each with a row of its own: freeze=progress for frozen layers (or "
                    + "pipetransformer, epochs, autofreeze, egeria), cores=tune for host CPU and memory (or "
                    + "pool, trim).")
    private List<String> beside = List.of();

    @Option(
            names = "--schedulers",
            paramLabel = "NAME",
            split = ",",
            description = "Schedulers to compare instead of the config's, or `all` that can run its jobs.")
    private List<String> schedulers = List.of();

    @Option(
            names = "--reference",
            paramLabel = "NAME",
            description =
                    "Scheduler of --schedulers that the others are compared with, such as your own (default: the best"
                            + " heuristic).")
    private @Nullable String reference;

    @Option(
            names = "--tune",
            description = "Choose the best of the tuned family and patient on validation episodes, and evaluate "
                    + "it as 'tuned'.")
    private boolean tune;

    @Option(names = "--timing", description = "Also show the processor time of each scheduler.")
    private boolean timing;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Mixin
    private EventOptions events = new EventOptions();

    @Mixin
    private ReplaceOption replace = new ReplaceOption();

    @Mixin
    private FleetOption machines = new FleetOption();

    @Mixin
    private RankingOptions ranking = new RankingOptions();

    @Mixin
    private TableOption table = new TableOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Mixin
    private VerboseOption verbose = new VerboseOption();

    @Override
    protected void run() {
        table.check();
        if (config == null && checkpoints.values().isEmpty()) {
            throw new InputException("evaluate: expected a CONFIG, or --checkpoint DIR, or both");
        }
        machines.requireWithout("--events or --record", events.isAny());
        if (events.isAny() && RunRecording.source() == null) {
            throw new InputException(
                    "--events, --record: expected neither, for experiments/simulate, which records runs, is not here");
        }
        machines.requireWithout("--plugin", hasPlugins());
        machines.requireWithout("--beside", !beside.isEmpty());
        List<AuxiliaryPolicy> rules = beside.stream()
                .map(rule -> AuxiliaryPolicy.named("--beside", rule))
                .toList();
        if (!rules.isEmpty() && checkpoints.values().size() != 1) {
            throw InputException.at("--beside", String.join(",", beside), "exactly one policy by --checkpoint DIR");
        }
        boolean namesNone = config == null && checkpoints.values().get(0).equals(PolicyFit.LEARNED);
        ExperimentConfig settings = options.read(
                config != null
                        ? config
                        : Checkpoint.open(
                                        "--checkpoint",
                                        InputFiles.path(
                                                namesNone
                                                        ? PolicyFit.DEFAULT
                                                        : checkpoints.values().get(0)))
                                .config()
                                .toString());
        List<Checkpoint> policies = checkpoints.values().stream()
                .map(name -> fitting(name, settings))
                .toList();
        boolean isAll = schedulers.equals(List.of(Schedulers.ALL));
        if (!isAll) {
            Schedulers.named(
                    "--schedulers", schedulers.isEmpty() ? Schedulers.here(settings.schedulers()) : schedulers);
        }
        if (reference != null && !schedulers.contains(reference)) {
            throw InputException.at("--reference", reference, "one of --schedulers");
        }
        if (policies.isEmpty() && options.overrides().stream().anyMatch(one -> one.startsWith("seed="))) {
            err().println("note: seed=%d changes only what schedulers draw; the test episodes %s"
                    .formatted(
                            settings.seed(),
                            settings.workload().trace() == null
                                    ? "are the same for every seed, and others by --set episodes.test_seed=N"
                                    : "are the same windows of the trace for every seed"));
        }
        TrainedPolicies trained = new TrainedPolicies(policies);
        ExperimentEvaluation.Plan plan = new ExperimentEvaluation.Plan(
                trained.networks(),
                trained.isPooled(),
                trained.shipped(),
                schedulers.isEmpty() ? Schedulers.here(settings.schedulers()) : schedulers,
                tune,
                rules);
        EvaluationOutput output = new EvaluationOutput(
                timing, json.isGiven(), verbose.isGiven(), ranking.metric(RankingMetric.MEAN_JCT), table, out());
        try (Fleet fleet = machines.open();
                Experiment experiment = new Experiment(settings, fleet)) {
            if (!policies.isEmpty()) {
                experiment.requirePlaceableJobs();
            }
            try (RunDirectory directory = directory(experiment)) {
                output.evaluate(
                        experiment,
                        isAll ? plan.withSchedulers(serving(experiment)) : plan,
                        trained,
                        reference,
                        directory,
                        events.logs(directory));
            }
        }
    }

    /** The policy; what is to be said of one that was trained for other rules is among the remarks. */
    private Checkpoint fitting(String name, ExperimentConfig settings) {
        Checkpoint opened =
                PolicyFit.open("--checkpoint", name, settings, Clusters.resolve("cluster", settings.cluster()));
        if (PolicyFit.remark(opened, settings.physics()) == null) {
            String note = PolicyFit.note(name, opened, settings.physics());
            if (note != null) {
                err().println("note: " + note);
            }
        }
        String elsewhere = PolicyFit.elsewhere(opened, settings);
        if (elsewhere != null) {
            err().println("note: " + elsewhere);
        }
        return opened;
    }

    private static List<String> serving(Experiment experiment) {
        return Schedulers.all().stream()
                .map(SchedulerRegistry.Entry::name)
                .filter(experiment::serves)
                .toList();
    }

    /**
     * The folder for the results, or null without {@code --out}; a folder that cannot be used is refused before any
     * run.
     */
    private @Nullable RunDirectory directory(Experiment experiment) {
        return options.out() == null
                ? null
                : RunDirectory.create(
                        InputFiles.path(String.valueOf(options.out())),
                        ConfigWriter.yaml(experiment.config()),
                        replace.otherRun());
    }
}
