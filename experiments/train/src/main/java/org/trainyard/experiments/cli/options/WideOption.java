package org.trainyard.experiments.cli.options;

import picocli.CommandLine.Option;

/** Whether a command prints all its tables. */
public final class WideOption {
    @Option(names = "--wide", description = "Print all tables, not only the one with the result.")
    private boolean wide;

    public boolean isWide() {
        return wide;
    }
}
