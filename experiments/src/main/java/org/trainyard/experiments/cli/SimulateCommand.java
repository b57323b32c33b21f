package org.trainyard.experiments.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs schedulers over a trace. */
@Command(name = "simulate", description = "Run schedulers over a trace on a cluster.", sortOptions = false)
final class SimulateCommand implements Callable<Integer> {
    @Mixin
    private Common common = new Common();

    @Override
    public Integer call() {
        common.out().println();
        return CommandLine.ExitCode.OK;
    }
}
