package org.trainyard.experiments.cli.options;

import picocli.CommandLine.Option;

/** The seed of a command. */
public final class SeedOption {
    @Option(names = "--seed", paramLabel = "N", description = "Seed of all random draws (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    public long value() {
        return seed;
    }
}
