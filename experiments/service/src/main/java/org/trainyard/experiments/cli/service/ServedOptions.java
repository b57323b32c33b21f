package org.trainyard.experiments.cli.service;

import java.io.PrintWriter;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.cli.options.SeedOption;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.PhysicsConfig;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.service.live.ServiceSettings;
import org.trainyard.experiments.service.target.ServedScheduler;
import org.trainyard.experiments.service.target.ServedTarget;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the rules of a live cluster, and for the budget and belief of its scheduler. */
public final class ServedOptions {
    private static final String TRAINING = "training";

    @Option(
            names = "--budget-ms",
            paramLabel = "MS",
            description = "Time for a decision in ms; after it the fallback decides, if there is one (default: "
                    + "${DEFAULT-VALUE}).")
    private int budgetMillis;

    @Option(
            names = "--interference-model",
            paramLabel = "NAME|DIR",
            description = "Interference model: training (else shipped), shipped, none, or a folder of `fit "
                    + "interference` (default: none for jobs of Slurm and pods, else training).")
    private @Nullable String belief;

    @Option(
            names = "--physics",
            paramLabel = "FILE",
            description = "YAML file with rates, restart costs, rules of preemption and quotas, as in simulate.")
    private @Nullable String physics;

    @Mixin
    private SeedOption seed = new SeedOption();

    /** @param budgetMillis of a decision, unless another is given */
    public ServedOptions(int budgetMillis) {
        this.budgetMillis = budgetMillis;
    }

    /**
     * Service settings from the options.
     *
     * @param place of the name in messages
     * @param name of a scheduler, or a folder of a policy
     * @param namesModels whether jobs name their models; others are expected not to interfere, as in replays of logs
     * @param fallback decides where the scheduler is late
     * @param rules maps the given physics, null without them, to those of the service
     * @param err for notes on a policy that was trained for other rules, and on rows of measurements that are left out
     */
    public ServiceSettings settings(
            String place,
            String name,
            boolean namesModels,
            SchedulerName fallback,
            UnaryOperator<@Nullable PhysicsConfig> rules,
            ServiceSettings.Limits limits,
            PrintWriter err) {
        InputException.within(1, 600_000, "--budget-ms", budgetMillis);
        PhysicsConfig given = rules.apply(physics == null ? null : PhysicsConfig.read(InputFiles.path(physics)));
        if (given != null) {
            given.remarks().forEach(remark -> err.println("note: " + remark));
        }
        ServedTarget opened = ServedTarget.fitting(
                place,
                name,
                given == null ? PhysicsConfig.DEFAULT : given,
                belief(namesModels),
                seed.value(),
                remark -> err.println("note: " + remark));
        return new ServiceSettings(
                opened.served(),
                ServedScheduler.of(Schedulers.named(fallback.place(), fallback.name()), opened.belief(), seed.value()),
                opened.belief(),
                given,
                opened.runtime(),
                seed.value(),
                budgetMillis * 1_000_000L,
                limits);
    }

    /** The name of the belief; null for that of the training. */
    private @Nullable String belief(boolean namesModels) {
        if (belief == null) {
            return namesModels ? null : BeliefConfig.NONE.toString();
        }
        return belief.equals(TRAINING) ? null : belief;
    }

    /** A scheduler of the registry, and the option that named it. */
    public record SchedulerName(String place, String name) {}
}
