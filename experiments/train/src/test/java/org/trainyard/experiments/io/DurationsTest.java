package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "0.25, 0.250 s",
        "0.9999, 1.0 s",
        "9.96, 10 s",
        "59.6, 1 min",
        "75, 1 min 15 s",
        "3599.7, 1 h",
        "11520, 3 h 12 min",
        "86399, 1 d",
        "100000, 1 d 4 h",
        "300, 5 min",
        "-75, -1 min 15 s",
        "NaN, -",
    })
    void people_see_the_two_largest_units(double seconds, String shown) {
        assertThat(Durations.human(seconds)).isEqualTo(shown);
    }

    /** By Node, where this machine has it. */
    @Test
    void reports_show_the_same_as_the_console() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "node"))),
                "no Node on this machine");
        double[] seconds = {0, 0.25, 0.9999, 9.96, 59.6, 75, 300, 3599.7, 11_520, 86_399, 100_000, -75};
        String script;
        try (InputStream resource = Objects.requireNonNull(
                Durations.class.getResourceAsStream("/org/trainyard/experiments/report/format.js"))) {
            script = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
        Process node = new ProcessBuilder(
                        "node",
                        "-e",
                        "globalThis.document = {};" + script + ";console.log(" + Arrays.toString(seconds)
                                + ".map(human).join(';'))")
                .redirectErrorStream(true)
                .start();
        String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(node.waitFor()).as(said).isZero();
        assertThat(said.strip().split(";"))
                .containsExactly(
                        Arrays.stream(seconds).mapToObj(Durations::human).toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 0.000000001",
        "1500000000, 1.5",
        "100000000000, 100",
        "9223372036854775807, 9223372036.854775807",
        "-1, -0.000000001",
    })
    void files_see_exact_seconds(long nanos, String shown) {
        assertThat(Durations.seconds(nanos)).isEqualTo(shown);
    }
}
