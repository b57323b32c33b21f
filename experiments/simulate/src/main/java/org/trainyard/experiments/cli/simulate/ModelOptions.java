package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.experiments.simulation.TraceSimulation;
import picocli.CommandLine.Option;

/** Options for the run times of jobs: their model where they name no known one, and whether they run as logged. */
public final class ModelOptions {
    @Option(
            names = "--models",
            paramLabel = "NAME",
            description = "Model of jobs without a known model: neutral (one mean model) or mix (drawn from the "
                    + "catalogue) (default: ${DEFAULT-VALUE}).")
    private String models = "neutral";

    @Option(
            names = "--draws",
            paramLabel = "N",
            description = "With --models mix: number of runs, each with its own draw (default: ${DEFAULT-VALUE}).")
    private int draws = 5;

    @Option(
            names = "--as-logged",
            description = "Run every job as long as logged, and end none at its limit, because logged durations "
                    + "already contain slowdowns.")
    private boolean isAsLogged;

    /** Whether jobs run as long as the trace says. */
    public boolean isAsLogged() {
        return isAsLogged;
    }

    /** @param strict whether a job that no placement can hold is an error */
    public TraceSimulation.Models models(boolean strict) {
        String wanted = models.toLowerCase(Locale.ROOT);
        WorkloadBuilder.Models known = Arrays.stream(WorkloadBuilder.Models.values())
                .filter(one -> name(one).equals(wanted))
                .findFirst()
                .orElseThrow(() -> InputException.at("--models", models, Nearest.oneOf(models, names())));
        InputException.within(1, Integer.MAX_VALUE, "--draws", draws);
        return new TraceSimulation.Models(known, draws, strict);
    }

    /** Puts drawn models into the configuration of a run; neutral ones go without saying. */
    public void describe(ObjectNode config) {
        if (models(false).models() == WorkloadBuilder.Models.MIX) {
            config.put("models", name(WorkloadBuilder.Models.MIX)).put("draws", draws);
        }
    }

    private static String name(WorkloadBuilder.Models models) {
        return models.name().toLowerCase(Locale.ROOT);
    }

    private static List<String> names() {
        return Arrays.stream(WorkloadBuilder.Models.values())
                .map(ModelOptions::name)
                .toList();
    }
}
