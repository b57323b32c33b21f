package org.trainyard.experiments.cli.simulate;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.InputFiles;
import picocli.CommandLine.Option;

/** Where public logs and artifacts are. */
public final class DataOption {
    @Option(names = "--data", paramLabel = "DIR", description = "Folder of public data (default: ../shared/data).")
    private @Nullable String data;

    public Path path() {
        return data == null
                ? Path.of(System.getProperty("trainyard.root", ".")).resolve("../shared/data")
                : InputFiles.path(data);
    }
}
