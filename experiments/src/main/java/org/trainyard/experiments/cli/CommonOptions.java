package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every subcommand has. */
@SuppressWarnings("UnusedVariable") // The command line reads the flags itself.
final class CommonOptions {
    static final String STACKTRACE = "--stacktrace";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Say what this does.")
    private boolean help;

    @Option(names = STACKTRACE, description = "When it fails, show where in the program.")
    private boolean stacktrace;

    PrintWriter out() {
        if (command == null) {
            throw new IllegalStateException("a command that the command line did not make");
        }
        return command.commandLine().getOut();
    }

    PrintWriter err() {
        if (command == null) {
            throw new IllegalStateException("a command that the command line did not make");
        }
        return command.commandLine().getErr();
    }
}
