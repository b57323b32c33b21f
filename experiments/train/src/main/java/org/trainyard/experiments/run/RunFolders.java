package org.trainyard.experiments.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Digests;
import org.trainyard.env.binding.ConfigWriter;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.RunDirectory;

/** The default folder of a run. */
public final class RunFolders {

    private RunFolders() {}

    /**
     * Makes the folder of a run.
     *
     * @param out the folder that the user named, which must be free or belong to the same config; null for
     *     {@code runs/NAME} or, when another config has that folder and stays, {@code runs/NAME-HASH}
     * @param otherRun what happens to a run of another config in the folder
     */
    public static RunDirectory create(ExperimentConfig config, @Nullable String out, RunDirectory.OtherRun otherRun) {
        return create(config.name(), ConfigWriter.yaml(config), out, otherRun);
    }

    /**
     * Makes the folder of a run whose configuration is of another kind than {@link ExperimentConfig}.
     *
     * @param yaml the configuration as text
     */
    public static RunDirectory create(String name, String yaml, @Nullable String out, RunDirectory.OtherRun otherRun) {
        Path root = out != null
                ? InputFiles.path(out)
                : otherRun == RunDirectory.OtherRun.REPLACE ? runs().resolve(name) : unasked(name, yaml);
        return RunDirectory.create(root, yaml, otherRun);
    }

    private static Path unasked(String name, String yaml) {
        Path plain = runs().resolve(name);
        if (!Files.isRegularFile(plain.resolve("config.yaml")) || RunDirectory.isOf(plain, yaml)) {
            return plain;
        }
        return runs().resolve(name + "-" + hash(yaml));
    }

    private static Path runs() {
        return InputFiles.path("runs");
    }

    private static String hash(String yaml) {
        byte[] digest = Digests.sha256().digest(yaml.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, 4);
    }
}
