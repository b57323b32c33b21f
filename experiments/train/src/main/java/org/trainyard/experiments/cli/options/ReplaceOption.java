package org.trainyard.experiments.cli.options;

import org.trainyard.experiments.io.RunDirectory;
import picocli.CommandLine.Option;

/** Option of commands that write a run into a folder. */
public final class ReplaceOption {
    @Option(
            names = "--replace",
            description = "Start anew although the folder holds a run; only the files of a run are deleted.")
    private boolean replace;

    public RunDirectory.OtherRun otherRun() {
        return replace ? RunDirectory.OtherRun.REPLACE : RunDirectory.OtherRun.REFUSE;
    }
}
