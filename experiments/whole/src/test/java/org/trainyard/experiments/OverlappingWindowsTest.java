package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.RandomStreams;

/** Test episodes that are windows of a trace: those that share jobs give no verdict. */
class OverlappingWindowsTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "configs", "heuristics.yaml");

    @TempDir
    private Path folder;

    private Path trace;

    @BeforeEach
    void writeTrace() throws IOException {
        StringBuilder text = new StringBuilder("job,submit_s,gpus,duration_s\n");
        RandomGenerator random = RandomStreams.stream(5, "test/windows");
        for (int i = 0; i < 800; i++) {
            text.append("j%d,%d,%d,%d\n".formatted(i, 60 * i, 1 + random.nextInt(8), 300 + random.nextInt(9_000)));
        }
        trace = Files.writeString(folder.resolve("trace.csv"), text);
    }

    @Test
    void overlapping_windows_give_no_verdict_and_separate_ones_do() throws IOException {
        Shell overlapping = evaluate(60, folder.resolve("overlapping"));
        assertThat(overlapping.out())
                .contains("Windows overlap: no verdict.")
                .containsPattern("(?m)^(fifo|srtf) .* windows overlap$")
                .doesNotContain("better", "worse");
        JsonNode comparison = comparison(folder.resolve("overlapping"));
        assertThat(comparison.path("windows_overlap").asBoolean()).isTrue();
        assertThat(comparison.path("schedulers").get(0).path("p").isNull()).isTrue();

        Shell separate = evaluate(20, folder.resolve("separate"));
        assertThat(separate.out()).doesNotContain("overlap").containsPattern("(?m)^fifo .* worse$");
        assertThat(comparison(folder.resolve("separate"))
                        .path("windows_overlap")
                        .asBoolean())
                .isFalse();
    }

    private Shell evaluate(int jobs, Path out) {
        Shell shell = Shell.command(
                "evaluate %s --schedulers fifo,srtf --set %s --set cluster=2x8 --set %s --set "
                        + "episodes.test=8 --set episodes.validation=1 --out %s",
                CONFIG, "workload.trace=" + trace, "episodes.jobs=" + jobs, out);
        assertThat(shell.code()).as(shell.err()).isZero();
        return shell;
    }

    private static JsonNode comparison(Path run) throws IOException {
        return new JsonMapper()
                .readTree(Files.readString(run.resolve("summary.json")))
                .path("comparison");
    }
}
