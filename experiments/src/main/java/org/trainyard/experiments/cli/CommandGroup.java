package org.trainyard.experiments.cli;

import picocli.CommandLine;

/** A command that only has subcommands; without one it prints its help and fails. */
abstract class CommandGroup extends Subcommand {
    @Override
    final void run() {
        commandLine().usage(err());
        exitWith(CommandLine.ExitCode.USAGE);
    }
}
