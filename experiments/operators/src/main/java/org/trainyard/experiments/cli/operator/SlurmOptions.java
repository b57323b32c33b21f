package org.trainyard.experiments.cli.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.slurm.SlurmCommands;
import picocli.CommandLine.Option;

/** How the commands of a live Slurm are run. */
public final class SlurmOptions {
    @Option(names = "--through", paramLabel = "WORDS", description = "In front of each command, such as \"ssh head\".")
    private @Nullable String through;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Time limit of each command (default: ${DEFAULT-VALUE}).")
    private int timeout;

    /** @param timeout unless another is given, seconds */
    SlurmOptions(int timeout) {
        this.timeout = timeout;
    }

    int timeout() {
        return timeout;
    }

    /** @param user for messages, which command of ours asks */
    SlurmCommands commands(String user) {
        List<String> before = through == null || through.isBlank()
                ? List.of()
                : List.of(through.strip().split("\\s+"));
        return new SlurmCommands(user, before, timeout);
    }
}
