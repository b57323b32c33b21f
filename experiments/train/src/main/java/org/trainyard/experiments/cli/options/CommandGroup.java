package org.trainyard.experiments.cli.options;

import picocli.CommandLine;

/** A command that only has subcommands; without one it prints its help and fails. */
public abstract class CommandGroup extends Subcommand {
    @Override
    protected final void run() {
        commandLine().usage(err());
        exitWith(CommandLine.ExitCode.USAGE);
    }
}
