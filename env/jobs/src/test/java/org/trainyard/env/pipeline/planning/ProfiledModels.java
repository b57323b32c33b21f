package org.trainyard.env.pipeline.planning;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.trainyard.env.pipeline.LayerGraphReader;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.workload.TestFiles;

/** The layer profiles of DAPPLE's authors, from the data pack. */
final class ProfiledModels {
    private ProfiledModels() {}

    /** @param name as in the archive, ending in the batch of the profile */
    static LayerProfile of(String name) throws IOException {
        Path archive = TestFiles.real("pipeline_profiles/dapple_profiles_V100.tar.xz");
        Path tar = Path.of("/usr/bin/tar");
        assumeTrue(Files.isExecutable(tar), () -> "skipped: there is no " + tar + " to unpack with");
        Process process = new ProcessBuilder(
                        tar.toString(), "-xJOf", archive.toString(), "profiling_results/%s.txt".formatted(name))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int batch = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
        return LayerGraphReader.read(name, name, text, batch);
    }
}
