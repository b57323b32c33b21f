package org.trainyard.experiments.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.TinyTraining;

/** {@code inspect} reads what the other commands write. */
class RunFilesTest {
    @TempDir
    private Path folder;

    private Shell simulate(String events, String... more) {
        List<String> args = new ArrayList<>(Shell.words(
                "simulate --trace generated --jobs 60 --cluster 2x8 --scheduler fifo,srtf --events %s",
                folder.resolve(events)));
        args.addAll(List.of(more));
        Shell shell = Shell.run(args);
        assertThat(shell.code()).as(shell.err()).isZero();
        return shell;
    }

    @Test
    void an_event_log_hashed_anew_has_the_hash_of_its_run() throws IOException {
        // With failures the log has lines of servers, too.
        Path physics = Path.of(System.getProperty("trainyard.root", ".."), "experiments", "physics", "failing.yaml");
        for (String name : List.of("a.jsonl", "b.jsonl.gz")) {
            JsonNode summary = new ObjectMapper()
                    .readTree(simulate(name, "--json", "--physics", physics.toString())
                            .out());
            JsonNode found = new ObjectMapper()
                    .readTree(Shell.command("inspect %s --json", folder.resolve(name))
                            .out());
            for (JsonNode scheduler : summary.get("schedulers")) {
                JsonNode read = found.get(scheduler.get("name").asText());
                assertThat(read.get("event_log_sha256")).isEqualTo(scheduler.get("event_log_sha256"));
                assertThat(read.get("jobs")).isEqualTo(scheduler.get("jobs"));
            }
        }
    }

    @Test
    void a_log_with_a_changed_line_has_another_hash_and_a_broken_one_is_refused() throws IOException {
        simulate("a.jsonl");
        Path log = folder.resolve("a.jsonl");
        String before = Shell.command("inspect %s", log).out();
        String text = Files.readString(log);
        Files.writeString(log, text.replaceFirst("\"gpus\":\\[0", "\"gpus\":[1"));
        assertThat(Shell.command("inspect %s", log).out()).isNotEqualTo(before);
        Files.writeString(log, text.replaceFirst("START", "STRAT"));
        Shell broken = Shell.command("inspect %s", log);
        assertThat(broken.code()).isEqualTo(2);
        assertThat(broken.err()).hasLineCount(1).contains("a.jsonl:", "is no event");
    }

    @Test
    void every_file_of_a_simulation_is_read() throws IOException {
        Path run = folder.resolve("run");
        simulate("a.jsonl", "--out", run.toString());

        assertThat(Shell.command("inspect %s", run).out()).contains("fifo", "srtf", "p95 wait", "event_log_sha256");
        assertThat(Shell.command("inspect %s", run.resolve("jobs.csv")).out())
                .contains("queueing_delay", "rows", "60", "mean JCT");
        assertEveryFileIsRead(run, 4);
    }

    @Test
    void every_file_of_a_training_is_read() throws IOException {
        Path run = folder.resolve("training");
        Shell shell = TinyTraining.run(List.of("auction/small.yaml"), run);
        assertThat(shell.code()).as(shell.err()).isZero();

        assertThat(Shell.command("inspect %s", run.resolve("report.html")).out())
                .contains("learned", "event_log_sha256");
        assertThat(Shell.command("inspect %s", run.resolve("checkpoints/best/untrained.bin"))
                        .out())
                .contains("policy", "sha256");
        assertEveryFileIsRead(run, 10);
    }

    private static void assertEveryFileIsRead(Path run, int least) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(run)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(least);
        for (Path file : files) {
            Shell shell = Shell.command("inspect %s", file);
            assertThat(shell.code()).as("%s: %s", file, shell.err()).isZero();
            assertThat(shell.out()).as(file.toString()).isNotBlank();
        }
    }
}
