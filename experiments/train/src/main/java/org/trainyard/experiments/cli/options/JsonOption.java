package org.trainyard.experiments.cli.options;

import picocli.CommandLine.Option;

/** Whether a command prints for machines. */
public final class JsonOption {
    @Option(names = "--json", description = "Print JSON instead of tables and sentences.")
    private boolean json;

    public boolean isGiven() {
        return json;
    }
}
