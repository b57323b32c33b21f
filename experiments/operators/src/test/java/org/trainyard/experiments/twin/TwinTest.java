package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

class TwinTest {
    /** What is said of a folder, for several tests ask it. */
    private static final Map<Path, Answer> ANSWERS = new ConcurrentHashMap<>();

    /** The answer for machines and that for people. */
    private record Answer(JsonNode json, String text) {}

    private static Path recording(String run) {
        Path folder = Path.of(System.getProperty("trainyard.root", "..")).resolve("../shared/data/slurm_real/" + run);
        assumeThat(folder)
                .as("the recordings of a real Slurm are not beside this checkout")
                .isDirectory();
        return folder;
    }

    private static JsonNode twin(Path folder) {
        return answer(folder).json;
    }

    private static Answer answer(Path folder) {
        return ANSWERS.computeIfAbsent(folder, files -> {
            Twin twin = Twin.of(files);
            return new Answer(JsonText.read(twin.json()), twin.answer().console());
        });
    }

    @Test
    void cycles_with_backfill_decide_as_the_real_scheduler_did() {
        assertDecidesAlike("R4s");
    }

    @Test
    void jobs_that_their_partition_can_never_run_are_passed_over() {
        JsonNode cycles = twin(recording("R5b")).get("per_cycle");

        assertThat(cycles.get("starts_equal").asDouble()).isGreaterThanOrEqualTo(0.98);
        assertThat(cycles.get("plan_start_within_1s").asDouble()).isGreaterThanOrEqualTo(0.99);
        assertThat(cycles.get("plan_nodes_equal").asDouble()).isGreaterThanOrEqualTo(0.99);
    }

    /** As where the controller logs at level info. */
    @Test
    void cancellations_of_which_no_line_tells_are_those_of_the_accounting(@TempDir Path folder) throws IOException {
        TwinFolder recorded = TwinFolder.read(recording("R4s"));
        for (String file : List.of(
                "slurm.conf", "qos.txt", "assoc.txt", "sacct.txt", "trace.csv", "submitted.csv", "slurmctld.log")) {
            List<String> lines = Objects.requireNonNull(recorded.lines(file));
            Files.write(
                    folder.resolve(file),
                    lines.stream()
                            .filter(line -> !line.contains("job_signal: 9 of"))
                            .toList());
        }

        assertThat(Twin.startsEqual(folder)).isGreaterThanOrEqualTo(0.98);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(strings = {"R2", "R2b", "R2e", "R3"})
    void cycles_with_backfill_of_more_recordings_decide_as_the_real_scheduler_did(String run) {
        assertDecidesAlike(run);
    }

    private static void assertDecidesAlike(String run) {
        JsonNode twin = twin(recording(run));

        JsonNode cycles = twin.get("per_cycle");
        assertThat(cycles.get("cycles").asInt()).isGreaterThan(400);
        assertThat(cycles.get("starts_equal").asDouble()).isGreaterThanOrEqualTo(0.96);
        assertThat(cycles.get("plan_start_within_1s").asDouble()).isGreaterThanOrEqualTo(0.99);
        assertThat(cycles.get("plan_nodes_equal").asDouble()).isGreaterThanOrEqualTo(0.95);
        assertThat(twin.get("priority").get("equal").asDouble()).isGreaterThanOrEqualTo(0.99);
    }

    @ParameterizedTest
    @ValueSource(strings = {"R1", "R1b"})
    void a_strict_queue_starts_the_same_jobs_on_the_same_nodes_and_gpus(String run) {
        Path folder = recording(run);
        JsonNode twin = twin(folder);

        assertThat(twin.get("jobs").asInt()).isEqualTo(250);
        assertThat(twin.get("per_cycle").get("starts_equal").asDouble()).isGreaterThanOrEqualTo(0.96);
        assertThat(twin.get("per_cycle").get("plan_nodes_equal").isNull()).isTrue();
        assertThat(twin.get("priority").get("equal").asDouble()).isEqualTo(1);
        assertThat(answer(folder).text).containsPattern("GPUs of each start +250 +250 +100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"R1b", "R4s"})
    void a_free_run_with_the_recorded_cycles_starts_jobs_when_they_started(String run) {
        assertStartsAlike(run);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(strings = {"R2b", "R2e"})
    void a_free_run_of_more_recordings_starts_jobs_when_they_started(String run) {
        assertStartsAlike(run);
    }

    private static void assertStartsAlike(String run) {
        JsonNode twin = twin(recording(run));

        assertThat(twin.get("recorded_cycles").get("within_5s").asDouble()).isGreaterThanOrEqualTo(0.95);
        assertThat(twin.get("recorded_cycles").get("same_nodes").asDouble()).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void waits_under_modelled_cycles_are_those_of_two_recordings_of_a_strict_queue() {
        assertWaitsAlike("R1", "R1b");
    }

    @Tag("thorough")
    @Test
    void waits_under_modelled_cycles_are_those_of_two_recordings_with_backfill() {
        assertWaitsAlike("R2", "R2b");
    }

    private static void assertWaitsAlike(String first, String second) {
        JsonNode waits = twin(recording(second)).get("wait_s");
        JsonNode others = twin(recording(first)).get("wait_s");

        for (String figure : new String[] {"mean", "p95"}) {
            double past = (waits.get("past").get(figure).asDouble()
                            + others.get("past").get(figure).asDouble())
                    / 2;
            assertThat(waits.get("twin").get(figure).asDouble()).isCloseTo(past, Percentage.withPercentage(5));
        }
    }

    @Test
    void the_nodes_of_each_start_of_a_strict_queue_are_chosen_alike() {
        assertThat(answer(recording("R1")).text).containsPattern("nodes of each start by itself +250 +250 +100");
    }

    @Test
    void jobs_with_the_one_licence_run_one_after_the_other(@TempDir Path folder) throws IOException {
        Files.write(
                folder.resolve("slurm.conf"),
                List.of("NodeName=n[1-2] CPUs=8 Gres=gpu:4", "Licenses=matlab:1", "PartitionName=all Nodes=ALL"));
        Files.write(
                folder.resolve("sacct.txt"),
                List.of(
                        "JobID|User|Account|QOS|Partition|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|NodeList",
                        "7|ann|a|normal|all|2026-01-01T00:00:00|2026-01-01T00:00:03|2026-01-01T00:05:00|COMPLETED|"
                                + "00:06:00|cpu=1,gres/gpu=2,license/matlab=1,node=1|1|n1",
                        "8|ann|a|normal|all|2026-01-01T00:00:00|2026-01-01T00:05:03|2026-01-01T00:10:00|COMPLETED|"
                                + "00:06:00|cpu=1,gres/gpu=2,license/matlab=1,node=1|1|n1"));

        Shell shell = Shell.run("twin", folder.toString(), "--json");
        assertThat(shell.err()).isEmpty();
        assertThat(shell.code()).isZero();
        JsonNode twin = JsonText.read(shell.out());
        assertThat(twin.get("wait_s").get("past").get("mean").asDouble()).isEqualTo(153);
        assertThat(twin.get("wait_s").get("twin").get("mean").asDouble()).isBetween(145.0, 180.0);
    }

    @Test
    void a_folder_without_a_log_has_no_cycles_and_keys_without_effect_are_named(@TempDir Path folder)
            throws IOException {
        Files.write(
                folder.resolve("slurm.conf"),
                List.of(
                        "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                        "BurstBufferType=burst_buffer/lua",
                        "PartitionName=all Nodes=ALL"));
        Files.write(
                folder.resolve("sacct.txt"),
                List.of(
                        "JobID|User|Account|QOS|Partition|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|NodeList",
                        "7|ann|a|normal|all|2026-01-01T00:00:00|2026-01-01T00:00:03|2026-01-01T00:01:00|COMPLETED|"
                                + "00:05:00|cpu=1,gres/gpu=2,node=1|1|n1"));

        JsonNode twin = twin(folder);
        assertThat(twin.get("per_cycle").isNull()).isTrue();
        assertThat(twin.get("recorded_cycles").isNull()).isTrue();
        assertThat(twin.get("modelled_cycles").get("within_5s").asDouble()).isEqualTo(1);
        assertThat(Shell.run("twin", folder.toString()).out())
                .contains("BurstBufferType=burst_buffer/lua: has no effect here");
    }

    /**
     * Without a log of the controller: the second job, which is cancelled while it waits, must not run for its hour.
     */
    @Test
    void a_job_that_was_cancelled_waits_until_then_and_a_refused_one_is_none(@TempDir Path folder) throws IOException {
        Files.write(
                folder.resolve("slurm.conf"), List.of("NodeName=n1 CPUs=8 Gres=gpu:4", "PartitionName=all Nodes=ALL"));
        String row = "%d|ann|a|normal|all|2026-01-01T00:0%d:00|2026-01-01T00:%s|2026-01-01T00:%s|%s|01:00:00|"
                + "cpu=1,gres/gpu=4,node=1|1|%s";
        Files.write(
                folder.resolve("sacct.txt"),
                List.of(
                        "JobID|User|Account|QOS|Partition|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|NodeList",
                        row.formatted(7, 0, "00:03", "10:00", "COMPLETED", "n1"),
                        row.formatted(8, 1, "05:00", "05:00", "CANCELLED by 5001", "None assigned"),
                        row.formatted(9, 2, "10:03", "20:00", "COMPLETED", "n1"),
                        row.formatted(10, 3, "03:00", "03:00", "FAILED", "None assigned"),
                        "11+0"
                                + row.formatted(0, 3, "03:00", "05:00", "COMPLETED", "n1")
                                        .substring(1)));

        Answer answer = answer(folder);

        assertThat(answer.json.get("modelled_cycles").get("within_30s").asDouble())
                .isEqualTo(1);
        assertThat(answer.json.get("jobs").asInt()).isEqualTo(3);
        assertThat(answer.text)
                .contains("1 job: each was refused by Slurm when it was submitted: is left out")
                .contains("1 job: each is a part of a heterogeneous job: is left out");
    }

    /** Two jobs a year apart, and long logs: looks of loops that have nothing to do cost nothing. */
    @Test
    @Timeout(60)
    void idle_time_costs_nothing_and_long_logs_are_played_fewer_times(@TempDir Path folder) throws IOException {
        Files.write(
                folder.resolve("slurm.conf"),
                List.of("NodeName=n[1-2] CPUs=8 Gres=gpu:4", "PartitionName=all Nodes=ALL"));
        List<String> rows = new ArrayList<>(
                List.of("JobID|User|Account|QOS|Partition|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|NodeList"));
        for (int job = 1; job <= 400; job++) {
            rows.add(("%d|ann|a|normal|all|%d-01-01T00:00:00|%2$d-01-01T00:00:03|%2$d-01-01T00:01:00|COMPLETED|"
                            + "00:05:00|cpu=1,gres/gpu=2,node=1|1|n1")
                    .formatted(job, 1999 + job / 200));
        }
        Files.write(folder.resolve("sacct.txt"), rows);

        assertThat(Shell.command("twin %s", folder).out()).contains("modelled cycles (mean of 60)");
        assertThat(Shell.command("twin %s --phases 1", folder).out())
                .contains("modelled cycles (mean of 1)")
                .doesNotContain("standard deviation");
        assertThat(Shell.command("twin %s --phases 0", folder).code()).isEqualTo(2);
    }

    @Test
    void a_folder_without_accounting_is_refused_in_one_line(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve("slurm.conf"), List.of("NodeName=n1 CPUs=8 Gres=gpu:4"));

        Shell shell = Shell.run("twin", folder.toString());

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("sacct.txt: no such file").hasLineCount(1);
    }
}
