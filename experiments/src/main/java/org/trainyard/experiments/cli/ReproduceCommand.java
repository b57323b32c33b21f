package org.trainyard.experiments.cli;

import picocli.CommandLine.Command;

/** Groups the subcommands that repeat experiments of papers. */
@Command(
        name = "reproduce",
        description = "Repeat an experiment of a paper and print its numbers beside ours.",
        subcommands = {ReproduceSjfBcoCommand.class},
        synopsisSubcommandLabel = "PAPER",
        sortOptions = false,
        footer = {"", "Example: trainyard reproduce sjf-bco experiments/configs/papers/sjf-bco.yaml"})
final class ReproduceCommand extends CommandGroup {}
