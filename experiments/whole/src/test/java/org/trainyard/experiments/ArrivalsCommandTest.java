package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code simulate arrivals}, through the command line. */
class ArrivalsCommandTest {
    private static final String PODS = """
            name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time
            a,1000,10,1,1000,0,5
            b,1000,10,2,1000,1,2
            c,1000,10,0,0,2,9
            """;

    @TempDir
    private Path directory;

    private Path pods = Path.of("");

    @BeforeEach
    void write() throws IOException {
        pods = Files.writeString(directory.resolve("pods.csv"), PODS);
    }

    private List<String> args(String schedulers, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "simulate",
                "arrivals",
                "--trace",
                pods.toString(),
                "--cluster",
                "2x4",
                "--scheduler",
                schedulers,
                "--verbose"));
        args.addAll(List.of(more));
        return args;
    }

    @Test
    void the_summary_has_a_curve_for_every_policy() throws IOException {
        Path out = directory.resolve("out");
        Shell shell = Shell.run(args("fgd,random", "--demand", "1.5", "--out", out.toString()));
        JsonNode summary =
                new ObjectMapper().readTree(out.resolve("summary.json").toFile());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("fgd", "random", "rejected").containsPattern("fgd +[0-9a-f]{64}");
        assertThat(summary.at("/config/inflate").asDouble()).isEqualTo(1.5);
        assertThat(summary.at("/schedulers/0/name").asText()).isEqualTo("fgd");
        assertThat(summary.at("/schedulers/1/allocated_percent")).hasSize(151);
        assertThat(summary.at("/schedulers/0/allocated_percent/150").asDouble()).isBetween(75.0, 100.0);
        assertThat(out.resolve("timing.json")).exists();
    }

    @Test
    void a_run_repeated_has_the_hash_of_the_first() throws IOException {
        Path out = directory.resolve("out");
        Shell.run(args("best-fit,gpu-packing", "--demand", "1.3", "--out", out.toString()));
        Path events = directory.resolve("events.jsonl");
        Shell again = Shell.run(args(
                "best-fit,gpu-packing",
                "--demand",
                "1.3",
                "--events",
                events.toString(),
                "--verify-hash",
                out.resolve("summary.json").toString()));
        Shell other = Shell.run(args(
                "best-fit,gpu-packing",
                "--demand",
                "1.4",
                "--verify-hash",
                out.resolve("summary.json").toString()));

        assertThat(again.code()).as(again.err()).isZero();
        assertThat(Files.readString(events)).contains("\"scheduler\":\"gpu-packing\"", "ARRIVE", "START");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("event logs differ");
    }

    /** As schedulers of ordinary runs they place whoever fits; all jobs end. */
    @Test
    void the_policies_serve_ordinary_runs_too() {
        Shell shell = Shell.command(
                "simulate --trace %s --cluster 2x4 --scheduler fgd,best-fit,dot-product,gpu-packing,gpu-clustering,random",
                pods);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("fgd", "gpu-clustering", "3 jobs");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "fgd --demand 0; --demand: '0.0' is not valid: expected a number in 0.01..100",
                "fgd --demand much; --demand",
                "fifo --demand 1.3; --scheduler: 'fifo' is not valid: expected a placement policy",
                "fdg --demand 1.3; fgd",
                "fgd,fgd --demand 1.3; each scheduler once",
                "fgd --demand 1.3 --runtime oracle; Unknown options: '--runtime', 'oracle'",
                "fgd --demand 1.3 --interference-model none; Unknown options: '--interference-model', 'none'",
                "fgd --demand 1.3 --validate-against runs.json; Unknown options: '--validate-against', 'runs.json'",
                "fgd --demand 1.3 --trace generated; --trace",
                "fgd; Missing required option: '--demand=RATIO'"
            })
    void what_makes_no_sense_is_refused_in_two_lines_at_most(String line, String fragment) {
        String[] words = line.split(" ");
        Shell shell =
                Shell.run(args(words[0], List.of(words).subList(1, words.length).toArray(String[]::new)));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err().lines()).hasSizeLessThanOrEqualTo(2);
        assertThat(shell.err()).contains(fragment);
    }

    @Test
    void a_bad_pod_is_counted_and_under_strict_reading_refused() throws IOException {
        Files.writeString(pods, PODS + "d,1000,10,2,500,3,4\n");
        Shell counted = Shell.run(args("fgd", "--demand", "1.3"));
        Shell strict = Shell.run(args("fgd", "--demand", "1.3", "--strict"));

        assertThat(counted.code()).isZero();
        assertThat(counted.err()).contains("1 bad line was left out", "pods.csv:5, gpu_milli: '500'");
        assertThat(strict.code()).isEqualTo(2);
        assertThat(strict.err().lines()).hasSize(1);
        assertThat(strict.err()).contains("pods.csv:5, gpu_milli", "expected 1000");
    }
}
