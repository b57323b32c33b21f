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
            description =
                    "Interference model: training (else shipped), shipped, none, or a folder of `fit interference` "
                            + "(default: ${DEFAULT-VALUE}).")
    private String belief;

    @Option(
            names = "--physics",
            paramLabel = "FILE",
            description = "YAML file with rates, restart costs, rules of preemption and quotas, as in simulate.")
    private @Nullable String physics;

    @Mixin
    private SeedOption seed = new SeedOption();

    private ServedOptions(int budgetMillis, String belief) {
        this.budgetMillis = budgetMillis;
        this.belief = belief;
    }

    /** Of a service, whose jobs name their models: unless others are given, 50 ms and the belief of the training. */
    public static ServedOptions ofService() {
        return new ServedOptions(50, TRAINING);
    }

    /**
     * Of a driver, whose jobs name no models: unless others are given, one second, and no belief, as in the replays of
     * a log by {@code advise}.
     */
    public static ServedOptions ofDriver() {
        return new ServedOptions(1000, BeliefConfig.NONE.toString());
    }

    /**
     * Service settings from the options.
     *
     * @param place of the name in messages
     * @param name of a scheduler, or a folder of a policy
     * @param fallback decides where the scheduler is late
     * @param rules maps the given physics, null without them, to those of the service
     * @param err for a note on a policy that was trained for other rules
     */
    public ServiceSettings settings(
            String place,
            String name,
            SchedulerName fallback,
            UnaryOperator<@Nullable PhysicsConfig> rules,
            ServiceSettings.Limits limits,
            PrintWriter err) {
        InputException.within(1, 600_000, "--budget-ms", budgetMillis);
        PhysicsConfig given = rules.apply(physics == null ? null : PhysicsConfig.read(InputFiles.path(physics)));
        ServedTarget opened = ServedTarget.fitting(
                place,
                name,
                given == null ? PhysicsConfig.DEFAULT : given,
                belief.equals(TRAINING) ? null : belief,
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

    /** A scheduler of the registry, and the option that named it. */
    public record SchedulerName(String place, String name) {}
}
