package org.trainyard.experiments.benchmark;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.experiments.io.InputFiles;

/**
 * An entry for a task of the benchmark or a record, as its YAML file says.
 *
 * @param scheduler of the registry, of a jar, or a Python file as {@code python:FILE}
 * @param checkpoint folder of a trained policy, in place of a scheduler
 * @param sha256 of the event logs of its runs, as the one who submits it found it
 */
public record Submission(
        String task,
        @OptionalKey @Nullable String scheduler,
        @OptionalKey @Nullable String checkpoint,
        @OptionalKey @Nullable String sha256) {
    public Submission {
        if ((scheduler == null) == (checkpoint == null)) {
            throw new IllegalArgumentException("expected a scheduler or a checkpoint, and not both");
        }
    }

    public static Submission read(Path file) {
        return Binder.bind(YamlReader.read(file.toString(), InputFiles.text(file)), Submission.class);
    }
}
