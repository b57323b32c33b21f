package org.trainyard.env.workload;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where tests find real traces: in a data pack beside the checkout. */
public final class TestFiles {
    private TestFiles() {}

    /** A file of the data pack; the test is skipped when there is none. */
    public static Path real(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", name);
        assumeTrue(Files.exists(file), () -> "skipped: the data pack has no " + file);
        return file;
    }
}
