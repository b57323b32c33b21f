package org.trainyard.experiments.papers.pollux;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;

/** Pollux' artifact where the data pack is at hand; elsewhere the test is skipped. */
final class ArtifactData {
    private ArtifactData() {}

    static PolluxArtifact artifact() {
        Path folder = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", "pollux");
        assumeThat(folder).as("the data pack is not beside this checkout").isDirectory();
        return new PolluxArtifact(folder);
    }
}
