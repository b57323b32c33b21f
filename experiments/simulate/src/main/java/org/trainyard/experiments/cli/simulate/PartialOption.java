package org.trainyard.experiments.cli.simulate;

import picocli.CommandLine.Option;

/** Whether a part of a log is enough for an answer. */
public final class PartialOption {
    @Option(
            names = "--partial",
            description = "Answer even if jobs with more than 5 %% of the GPU-hours of the log are left out.")
    private boolean partial;

    public boolean isGiven() {
        return partial;
    }
}
