package org.trainyard.experiments.cli;

import picocli.CommandLine.Command;

/** Repeats experiments of papers: a subcommand for each. */
@Command(
        name = "reproduce",
        description = "Repeat an experiment of a paper, and print our numbers beside the paper's.",
        subcommands = {ReproduceSjfBcoCommand.class},
        synopsisSubcommandLabel = "PAPER",
        sortOptions = false,
        footer = {"", "Example: trainyard reproduce sjf-bco experiments/configs/papers/sjf-bco.yaml"})
final class ReproduceCommand extends CommandGroup {}
