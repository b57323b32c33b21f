package org.trainyard.experiments.cli.options;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.run.ForeignSchedulers;
import org.trainyard.experiments.run.Plugins;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command with the options and the output that all of them share. */
@Command(sortOptions = false)
@SuppressWarnings("UnusedVariable") // The command line reads the flags itself.
public abstract class Subcommand implements Callable<Integer> {
    public static final String STACKTRACE = "--stacktrace";

    /** Behind the options of the command itself. */
    private static final int LAST = 1000;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = LAST,
            description = "Show this help.")
    private boolean help;

    @Option(names = STACKTRACE, order = LAST, description = "Show the stack trace when the command fails.")
    private boolean stacktrace;

    @Option(
            names = "--plugin",
            order = LAST,
            paramLabel = "JAR",
            description = "Add the schedulers, placers, rewards and log formats of a jar. Repeatable.")
    private List<String> plugins = List.of();

    private int exitCode = CommandLine.ExitCode.OK;

    /** Does the work; bad input is an {@link InputException}. */
    protected abstract void run();

    @Override
    public final Integer call() {
        try (Plugins loaded = Plugins.load(plugins);
                ForeignSchedulers.Opened foreign = ForeignSchedulers.opened(err()::println)) {
            if (!hearsNetworks()) {
                SchedulerRegistry.alsoFindBy(foreign);
            }
            loaded.described().forEach(err()::println);
            try {
                run();
            } catch (RuntimeException | Error e) {
                Throwable blamed = loaded.blamed(e);
                if (blamed instanceof RuntimeException failure) {
                    throw failure;
                }
                throw e;
            }
        }
        return exitCode;
    }

    /** Whether names of schedulers may come from a network, which must start no process. */
    protected boolean hearsNetworks() {
        return false;
    }

    /** Whether jars extend this process. */
    protected final boolean hasPlugins() {
        return !plugins.isEmpty();
    }

    protected final CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("a command that the command line did not make");
        }
        return spec.commandLine();
    }

    protected final PrintWriter out() {
        return commandLine().getOut();
    }

    protected final PrintWriter err() {
        return commandLine().getErr();
    }

    /** Makes the command exit with code 1 once {@link #run} returns, unless what it compared is equal. */
    protected final void failUnless(boolean isEqual) {
        exitCode = isEqual ? exitCode : CommandLine.ExitCode.SOFTWARE;
    }

    /** Makes the command exit with this code once {@link #run} returns. */
    protected final void exitWith(int code) {
        exitCode = code;
    }
}
