package org.trainyard.env.workload;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.trainyard.env.workload.trace.TraceFormat;

/** Where tests find traces: made-up samples among the test resources, real ones in a data pack beside the checkout. */
public final class TestFiles {
    private TestFiles() {}

    /** A file of the data pack; the test is skipped when there is none. */
    public static Path real(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", name);
        assumeTrue(Files.exists(file), () -> "skipped: the data pack has no " + file);
        return file;
    }

    public static byte[] sample(TraceFormat format) {
        String label = format.label().toLowerCase(Locale.ROOT);
        try {
            for (String ending : List.of("csv", "json", "txt")) {
                InputStream in = TestFiles.class.getResourceAsStream("/traces/%s.%s".formatted(label, ending));
                if (in != null) {
                    try (in) {
                        return in.readAllBytes();
                    }
                }
            }
            throw new IllegalStateException("no sample of " + label);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
