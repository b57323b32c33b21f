package org.trainyard.experiments.cli.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.slurm.SlurmCommands;
import picocli.CommandLine.Option;

/** How the commands of a live Slurm are run. */
public final class SlurmOptions {
    @Option(
            names = "--exec-prefix",
            paramLabel = "WORDS",
            description = "Words before each command of Slurm, such as \"ssh head\".")
    private @Nullable String prefix;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Time limit of each command of Slurm (default: ${DEFAULT-VALUE}).")
    private int timeout;

    /** @param timeout unless another is given, seconds */
    SlurmOptions(int timeout) {
        this.timeout = timeout;
    }

    /** @param user for messages, which command of ours asks */
    SlurmCommands commands(String user) {
        InputException.within(1, 3600, "--timeout", timeout);
        List<String> before = prefix == null || prefix.isBlank()
                ? List.of()
                : List.of(prefix.strip().split("\\s+"));
        return new SlurmCommands(user, before, timeout);
    }
}
