package org.trainyard.experiments.cli.options;

import org.trainyard.experiments.io.RunDirectory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options to resume or replace the earlier run in the folder of a long run; without one, it is refused. */
public final class ResumeOptions {
    /** The choice. */
    static final class Choice {
        @Option(names = "--resume", description = "Continue the run in the folder, or begin one.")
        private boolean resume;

        @Option(
                names = "--replace",
                description = "Start anew although the folder holds a run; only the files of a run are deleted.")
        private boolean replace;
    }

    @ArgGroup
    private Choice choice = new Choice();

    public boolean isResumed() {
        return choice.resume;
    }

    /** Whether the run starts anew. */
    public boolean isReplaced() {
        return choice.replace;
    }

    public RunDirectory.OtherRun otherRun() {
        return choice.replace ? RunDirectory.OtherRun.REPLACE : RunDirectory.OtherRun.REFUSE;
    }
}
