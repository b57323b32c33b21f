package org.trainyard.env.workload.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** The formats of logs with their samples among the test resources. */
public final class LogSamples {
    private LogSamples() {}

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
                InputStream in = LogSamples.class.getResourceAsStream("/traces/%s.%s".formatted(label, ending));
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
