package org.trainyard.experiments.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.simulation.ExpectedHashes;
import picocli.CommandLine.Option;

/** Options for the event logs of a simulation. */
public final class EventOptions {
    @Option(
            names = "--events",
            paramLabel = "FILE",
            description =
                    "Write every event to this file, one JSON object per line; gzipped if the name ends in " + ".gz.")
    private @Nullable String events;

    @Option(
            names = "--verify-hash",
            paramLabel = "SHA|FILE",
            description = "Exit with code 1 unless the event logs have this SHA-256, or those in this summary.json.")
    private @Nullable String verify;

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

    public static boolean isGzip(Path file) {
        return file.toString().endsWith(".gz");
    }

    /** The hashes that the logs of these schedulers must have; null without the option. */
    public @Nullable ExpectedHashes expected(List<String> names) {
        return verify == null ? null : ExpectedHashes.parse("--verify-hash", verify, names);
    }
}
