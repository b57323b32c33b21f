package org.trainyard.experiments.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.workload.trace.slurm.HostList;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

/** {@code simulate recorded}. */
class LoggedPastTest {
    private static final String HEADER = "job,submit_s,gpus,duration_s,start_s,ran_on,limit_s";

    @TempDir
    private Path folder;

    private Shell simulate(Path log, String cluster, String... more) {
        List<String> args =
                new ArrayList<>(List.of("simulate", "recorded", "--trace", log.toString(), "--cluster", cluster));
        args.addAll(List.of(more));
        return Shell.run(args);
    }

    private Path log(String... rows) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        lines.addAll(List.of(rows));
        return Files.write(folder.resolve("log.csv"), lines);
    }

    @ParameterizedTest
    @CsvSource({"1x8:H100, true", "1x8:A100, false", "1x8, false"})
    void a_cluster_with_other_types_than_those_of_the_log_is_named(String cluster, boolean other) throws IOException {
        Path log = Files.writeString(folder.resolve("log.txt"), """
            JobID|State|Submit|Start|End|AllocTRES|ReqTRES
            1|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T01:00:00|gres/gpu:a100=4,gres/gpu=4|gres/gpu=4
            """);
        Shell shell = simulate(log, cluster);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()
                        .contains("The jobs ran on A100, of which the cluster has none; on H100 they run as long"))
                .isEqualTo(other);
    }

    /** By job, the time of an event and its GPUs, if it has any. */
    private Map<String, String> events(Path log, String cluster, String kind) throws IOException {
        Path file = folder.resolve("events.jsonl");
        Shell shell = simulate(log, cluster, "--events", file.toString());
        assertThat(shell.code()).as(shell.err()).isZero();
        Map<String, String> found = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode event = JsonText.read(line);
            if (event.get("event").asText().equals(kind)) {
                found.put(
                        event.get("job").asText(),
                        event.get("time").asText()
                                + (event.has("gpus") ? " " + event.get("gpus").toString() : ""));
            }
        }
        return found;
    }

    @Test
    void jobs_start_when_and_where_the_log_says_and_outlive_their_limits() throws IOException {
        Path log = log(
                "a,0,2,100,5,n2,10", "b,1,6,50,20,\"n[1,10]\",", "c,2,2,30,20,n2,", "d,3,1,10,40,n10,", "e,6,1,10,,,");

        assertThat(events(log, "3x4", "START"))
                .containsEntry("a", "5 [4,5]")
                .containsEntry("b", "20 [0,1,2,8,9,10]")
                .containsEntry("c", "20 [6,7]")
                .containsEntry("d", "40 [11]")
                .containsEntry("e", "6 [6]");
        assertThat(events(log, "3x4", "FINISH")).containsEntry("a", "105").containsEntry("b", "70");
        assertThat(simulate(log, "3x4").out())
                .contains("Note: 1 job has no start in the log: a job starts as soon as it fits.")
                .contains("Note: the log does not say where 1 job ran: a job runs where it fits best.")
                .doesNotContain("disagree")
                .doesNotContain("other servers");
    }

    @Test
    void what_the_cluster_cannot_follow_waits_or_goes_elsewhere_and_is_counted() throws IOException {
        Path log = log("a,0,4,60,0,n1,", "late,1,2,10,20,n1,", "wide,2,5,10,30,n2,");

        assertThat(events(log, "3x4", "START"))
                .containsEntry("late", "60 [0,1]")
                .containsEntry("wide", "30 [4,5,6,7,8]");
        assertThat(simulate(log, "3x4").out())
                .contains("Note: 1 job did not fit when and where the log starts them and waited, at most 40 s:")
                .contains("Note: 1 job runs on other servers than in the log,");
    }

    @Test
    void names_of_the_cluster_come_before_the_order_of_names() throws IOException {
        Path cluster = Files.write(
                folder.resolve("nodes.csv"),
                List.of("sn,cpu_milli,memory_mib,gpu,model", "x9,64000,262144,4,G2", "x1,64000,262144,4,G2"));

        Map<String, String> starts =
                events(log("a,0,2,10,1,x1,", "b,0,2,10,1,x9,", "c,0,2,10,1,n1,"), cluster.toString(), "START");

        assertThat(starts).containsEntry("a", "1 [4,5]").containsEntry("b", "1 [0,1]");
    }

    @Test
    void a_trace_without_starts_has_no_past() throws IOException {
        Shell shell = simulate(log("a,0,2,10,,,"), "3x4");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--trace: 'log' is not valid: expected a log that says when jobs started");
    }

    @Test
    void a_folder_with_the_tables_of_pai_is_inspected_and_has_a_past() throws IOException {
        Path tables = Files.createDirectory(folder.resolve("pai"));
        Files.writeString(
                tables.resolve("pai_task_table.csv"),
                "aaaa7009a5d481acec67b088,worker,4.0,Terminated,1739102.0,1739900.0,600.0,29.3,100.0,V100\n");
        Files.writeString(
                tables.resolve("pai_job_table.csv"),
                "aaaa7009a5d481acec67b088,i2,58540f191766,Terminated,1739000.0,1739900.0\n");

        assertThat(Shell.command("inspect %s", tables).out())
                .contains("Users and submissions are those of pai_job_table beside it (1 file).");
        assertThat(events(tables, "3x4:V100", "ARRIVE")).hasSize(1).containsValue("1739000");
        assertThat(events(tables, "3x4:V100", "START")).containsValue("1739102 [0,1,2,3]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--runtime=oracle", "--limits=0.1"})
    void options_that_the_past_would_ignore_are_refused(String option) throws IOException {
        Shell shell = simulate(log("a,0,2,10,1,n1,"), "3x4", option);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("Unknown option: '%s'".formatted(option));
    }

    /** Expected: the columns Start and NodeList of the rows that are no steps, read without the reader of logs. */
    @ParameterizedTest
    @ValueSource(strings = {"R1", "R2"})
    void the_past_of_a_real_slurm_is_as_logged_to_the_second(String run) throws IOException {
        Path log = Path.of(System.getProperty("trainyard.root", ".."))
                .resolve("../shared/data/slurm_real/%s/sacct.txt".formatted(run));
        assumeThat(log)
                .as("the recordings of a real Slurm are not beside this checkout")
                .exists();
        List<String> lines = Files.readAllLines(log);
        List<String> columns = List.of(lines.get(0).split("\\|", -1));
        List<String[]> jobs = lines.stream()
                .skip(1)
                .map(line -> line.split("\\|", -1))
                .filter(row -> !row[0].contains("."))
                .toList();
        LocalDateTime zero = jobs.stream()
                .map(row -> LocalDateTime.parse(row[columns.indexOf("Submit")]))
                .min(LocalDateTime::compareTo)
                .orElseThrow();
        Map<String, String> expected = new TreeMap<>();
        for (String[] row : jobs) {
            long start = Duration.between(zero, LocalDateTime.parse(row[columns.indexOf("Start")]))
                    .toSeconds();
            expected.put(
                    row[0],
                    start + " " + new TreeSet<>(HostList.expand("sacct.txt", row[columns.indexOf("NodeList")])));
        }

        Map<String, String> found = new TreeMap<>();
        events(log, "8x4", "START").forEach((job, start) -> found.put(job, onNodes(start)));

        assertThat(found).hasSize(250).isEqualTo(expected);
    }

    /** GPU 0 to 3 are those of n01. */
    private static String onNodes(String start) {
        TreeSet<String> nodes = new TreeSet<>();
        int space = start.indexOf(' ');
        for (JsonNode gpu : JsonText.read(start.substring(space + 1))) {
            nodes.add("n%02d".formatted(gpu.asInt() / 4 + 1));
        }
        return start.substring(0, space) + " " + nodes;
    }
}
