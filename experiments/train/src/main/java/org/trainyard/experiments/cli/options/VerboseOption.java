package org.trainyard.experiments.cli.options;

import picocli.CommandLine.Option;

/** Whether a command prints all its tables. */
public final class VerboseOption {
    @Option(names = "--verbose", description = "Print all tables, not only the one with the result.")
    private boolean verbose;

    public boolean isGiven() {
        return verbose;
    }
}
