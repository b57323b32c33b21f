package org.trainyard.experiments.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Repeats experiments of papers: a subcommand for each. */
@Command(
        name = "reproduce",
        description = "Repeat an experiment of a paper, and print our numbers beside the paper's.",
        subcommands = {ReproduceSjfBcoCommand.class},
        synopsisSubcommandLabel = "PAPER",
        sortOptions = false,
        footer = {"", "Example: trainyard reproduce sjf-bco experiments/configs/papers/sjf-bco.yaml"})
@SuppressWarnings("UnusedVariable") // The command line reads the options itself.
final class Reproduce implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private Common common = new Common();

    @Override
    public Integer call() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getErr());
        }
        return CommandLine.ExitCode.USAGE;
    }
}
