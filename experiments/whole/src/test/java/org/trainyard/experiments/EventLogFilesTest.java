package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code simulate --events} and {@code --verify-hash}. */
class EventLogFilesTest {
    @TempDir
    private Path directory;

    private Path trace = Path.of("unset");

    @BeforeEach
    void write_a_trace() throws IOException {
        trace = Files.writeString(
                directory.resolve("t.csv"),
                "job,submit_s,gpus,duration_s\na,0,8,100.5\n\"b \"\"quoted\"\"\",10.000000001,4,50\n");
    }

    private Shell simulate(String schedulers, String... more) {
        List<String> args = new ArrayList<>(
                Shell.words("simulate --trace %s --cluster 1x8 --runtime oracle --scheduler %s", trace, schedulers));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    @Test
    void every_event_is_a_line_of_json() throws IOException {
        Path events = directory.resolve("events.jsonl");
        Shell shell = simulate("tiresias-srtf", "--events", events.toString());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(Files.readString(events)).isEqualTo("""
                        {"scheduler":"tiresias-srtf","time":0,"event":"ARRIVE","job":"a"}
                        {"scheduler":"tiresias-srtf","time":0,"event":"START","job":"a","gpus":[0,1,2,3,4,5,6,7]}
                        {"scheduler":"tiresias-srtf","time":10.000000001,"event":"ARRIVE","job":"b \\"quoted\\""}
                        {"scheduler":"tiresias-srtf","time":10.000000001,"event":"PREEMPT","job":"a"}
                        {"scheduler":"tiresias-srtf","time":10.000000001,"event":"START","job":"b \\"quoted\\"","gpus":[0,1,2,3]}
                        {"scheduler":"tiresias-srtf","time":60.000000001,"event":"FINISH","job":"b \\"quoted\\""}
                        {"scheduler":"tiresias-srtf","time":60.000000001,"event":"START","job":"a","gpus":[0,1,2,3,4,5,6,7]}
                        {"scheduler":"tiresias-srtf","time":150.5,"event":"FINISH","job":"a"}
                        """);
    }

    @Test
    void gzipped_events_are_the_same_and_leave_the_hashes_alone() throws IOException {
        Path plain = directory.resolve("events.jsonl");
        Path zipped = directory.resolve("events.jsonl.gz");
        Shell without = simulate("fifo,sjf", "--json");
        Shell with = simulate("fifo,sjf", "--json", "--events", plain.toString());
        simulate("fifo,sjf", "--json", "--events", zipped.toString());

        assertThat(with.out()).isEqualTo(without.out());
        try (InputStream in = new GZIPInputStream(Files.newInputStream(zipped))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(Files.readString(plain));
        }
        assertThat(Files.readAllLines(plain)).anyMatch(line -> line.contains("sjf"));
    }

    @Test
    void a_run_that_fails_leaves_no_events() throws IOException {
        Path events = directory.resolve("events.jsonl");
        Shell shell = simulate("fifo", "--events", events.toString(), "--strict", "--cluster", "1x4");

        assertThat(shell.code()).isEqualTo(2);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(trace);
        }
    }

    @ParameterizedTest
    @CsvSource({"events.txt, .jsonl.gz", "nowhere/events.jsonl, a folder that is there"})
    void a_bad_place_for_events_is_said_before_the_run(String name, String fragment) {
        Shell shell = simulate("fifo", "--events", directory.resolve(name).toString());

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--events", fragment).hasLineCount(1);
    }

    @Test
    void the_hash_as_printed_is_verified() {
        Matcher printed = Pattern.compile("fifo +([0-9a-f]{64})")
                .matcher(simulate("fifo", "--verbose").out());
        assertThat(printed.find()).isTrue();

        Shell same = simulate("fifo", "--verify-hash", printed.group(1));
        assertThat(same.code()).isZero();
        assertThat(same.err()).hasLineCount(1).contains("verified", "fifo");
        assertThat(simulate("fifo", "--json").out()).contains(printed.group(1));
        Shell other = simulate("las", "--seed", "2", "--verify-hash", "0".repeat(64));
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).hasLineCount(1).contains("las has ", "expected " + "0".repeat(64));
    }

    @Test
    void the_hashes_of_a_summary_are_verified_by_name() throws IOException {
        Path summary = Files.writeString(
                directory.resolve("summary.json"),
                simulate("fifo,sjf", "--json").out());

        assertThat(simulate("sjf,fifo", "--verify-hash", summary.toString()).code())
                .isZero();
        Files.writeString(
                summary,
                Files.readString(summary)
                        .replaceFirst("sha256\" : \"[0-9a-f]{4}", "sha256\" : \"0000")
                        .replaceFirst("sha256\": \"[0-9a-f]{4}", "sha256\": \"0000"));
        Shell differs = simulate("sjf,fifo", "--verify-hash", summary.toString());
        assertThat(differs.code()).isEqualTo(1);
        assertThat(differs.err()).hasLineCount(1).contains("fifo has").doesNotContain("sjf has");
    }

    @Test
    void a_bad_expectation_is_said_before_the_run() throws IOException {
        Path junk = Files.writeString(directory.resolve("junk.json"), "{");
        Path empty = Files.writeString(directory.resolve("empty.json"), "{\"schedulers\": [1, {\"name\": \"sjf\"}]}");

        assertThat(List.of(
                        simulate("fifo", "--verify-hash", "abc"),
                        simulate(
                                "fifo",
                                "--verify-hash",
                                directory.resolve("no.json").toString()),
                        simulate("fifo", "--verify-hash", directory.toString()),
                        simulate("fifo", "--verify-hash", junk.toString()),
                        simulate("fifo", "--verify-hash", empty.toString()),
                        simulate("fifo,sjf", "--verify-hash", "0".repeat(64))))
                .allSatisfy(shell -> {
                    assertThat(shell.code()).isEqualTo(2);
                    assertThat(shell.err()).hasLineCount(1);
                    assertThat(shell.out()).isEmpty();
                });
    }
}
