package org.trainyard.experiments.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A command that only has subcommands; without one it prints its help and fails. */
abstract class CommandGroup extends Subcommand {
    /** Groups the subcommands that repeat experiments of papers. */
    @Command(
            name = "reproduce",
            description = "Repeat an experiment of a paper and print its numbers beside ours.",
            subcommands = {ReproduceSjfBcoCommand.class},
            synopsisSubcommandLabel = "PAPER",
            sortOptions = false,
            footer = {"", "Example: trainyard reproduce sjf-bco experiments/configs/papers/sjf-bco.yaml"})
    static final class Reproduce extends CommandGroup {}

    @Override
    final void run() {
        commandLine().usage(err());
        exitWith(CommandLine.ExitCode.USAGE);
    }
}
