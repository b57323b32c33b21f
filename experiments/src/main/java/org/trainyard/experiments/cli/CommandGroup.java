package org.trainyard.experiments.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that does nothing without one of its subcommands, and says which there are. */
@SuppressWarnings("UnusedVariable") // The command line reads the options itself.
abstract class CommandGroup implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public final Integer call() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getErr());
        }
        return CommandLine.ExitCode.USAGE;
    }
}
