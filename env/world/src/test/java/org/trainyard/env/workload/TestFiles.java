package org.trainyard.env.workload;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogFormats;

/** Where tests find traces: made-up samples among the test resources, real ones in a data pack beside the checkout. */
public final class TestFiles {
    private TestFiles() {}

    /** A file of the data pack; the test is skipped when there is none. */
    public static Path real(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", name);
        assumeTrue(Files.exists(file), () -> "skipped: the data pack has no " + file);
        return file;
    }

    /** All formats but the one of which the user names the columns. */
    public static Stream<LogFormat> formats() {
        return LogFormats.all().stream().filter(format -> !format.label().equals("columns"));
    }

    public static LogFormat format(String label) {
        return Objects.requireNonNull(LogFormats.byLabel(label));
    }

    public static byte[] sample(LogFormat format) {
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
