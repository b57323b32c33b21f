package org.trainyard.experiments.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.evaluation.RunLogs;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.RunDirectory;
import picocli.CommandLine.Option;

/** Options for what runs write while they run. */
public final class EventOptions {
    @Option(
            names = "--events",
            paramLabel = "FILE",
            description = "Write every event to this file, one JSON object per line; .gz compresses.")
    private @Nullable String events;

    @Option(
            names = "--record",
            description = "Also write all events and decisions to the folder of --out, for `trainyard watch`.")
    private boolean isRecorded;

    /** Whether anything is written while runs go on. */
    public boolean isAny() {
        return events != null || isRecorded;
    }

    /** The file for the events, in an existing folder; null without the option. */
    public @Nullable Path file() {
        if (events == null) {
            return null;
        }
        Path file = InputFiles.path(events);
        String name = String.valueOf(file.getFileName());
        if (!name.endsWith(".jsonl") && !name.endsWith(".jsonl.gz")) {
            throw InputException.at("--events", events, "a file whose name ends in .jsonl or .jsonl.gz");
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw InputException.at("--events", events, "a file in a folder that is there");
        }
        return file;
    }

    /**
     * The logs that runs write.
     *
     * @param directory of the files of the run, or null without
     */
    public RunLogs logs(@Nullable RunDirectory directory) {
        if (isRecorded && directory == null) {
            throw InputException.missing("--record", "--out and a folder for what is recorded");
        }
        return new RunLogs(file(), isRecorded ? directory : null);
    }
}
