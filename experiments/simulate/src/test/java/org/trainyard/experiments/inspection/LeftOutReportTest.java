package org.trainyard.experiments.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/** What commands say of jobs that they leave out. */
class LeftOutReportTest {
    @TempDir
    private Path directory;

    private Path log;

    @BeforeEach
    void write() throws IOException {
        StringBuilder rows = new StringBuilder("JobID|State|Submit|Start|End|AllocTRES|ReqTRES\n");
        row(rows, 1, "COMPLETED", "10:00:00", "gres/gpu:a100=2,gres/gpu=2");
        row(rows, 2, "COMPLETED", "10:00:00", "gres/gpu=2");
        row(rows, 3, "COMPLETED", "10:00:00", "gres/gpu=128");
        row(rows, 4, "COMPLETED", "10:00:00", "cpu=8");
        row(rows, 5, "RUNNING", "Unknown", "gres/gpu=4");
        log = Files.writeString(directory.resolve("log.txt"), rows);
    }

    private static void row(StringBuilder rows, int id, String state, String end, String tres) {
        String ended = end.equals("Unknown") ? end : "2026-03-02T" + end;
        rows.append("%d|%s|2026-03-02T08:00:00|2026-03-02T08:00:00|%s|%s|%s\n".formatted(id, state, ended, tres, tres));
    }

    private static JsonNode leftOut(Shell shell) throws IOException {
        assertThat(shell.code()).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out()).path("left_out");
    }

    private static JsonNode of(JsonNode all, String reason) {
        for (JsonNode one : all) {
            if (one.path("reason").asText().contains(reason)) {
                return one;
            }
        }
        throw new AssertionError("no (%s) in (%s)".formatted(reason, all));
    }

    @Test
    void inspect_counts_them_by_reason_with_their_part_of_the_load() throws IOException {
        JsonNode left = leftOut(Shell.command("inspect %s --json", log));

        assertThat(of(left, "without GPUs").path("jobs").asInt()).isEqualTo(1);
        assertThat(of(left, "still ran").path("gpu_hours").asDouble()).isEqualTo(8);
        assertThat(of(left, "still ran").path("percent_of_load").asDouble()).isBetween(2.9, 3.0);
        assertThat(Shell.command("inspect %s --cluster 8x8", log).out())
                .contains("1 job asks for GPUs of type A100, which 8x8 lacks.")
                .contains("left out       1 job without GPUs: 0.0 GPU-hours");
    }

    @Test
    void simulate_adds_those_that_do_not_fit_and_why() throws IOException {
        Shell shell = Shell.command("simulate --trace %s --cluster 8x8 --scheduler fifo --partial --json", log);

        JsonNode left = leftOut(shell);

        assertThat(left).hasSize(4);
        assertThat(of(left, "ask for GPUs of type A100, which 8x8 lacks")
                        .path("gpu_hours")
                        .asDouble())
                .isEqualTo(4);
        assertThat(of(left, "need more than 64 GPUs").path("gpu_hours").asDouble())
                .isEqualTo(256);
    }

    @Test
    void types_of_gpus_compare_without_case_spaces_and_dashes() throws IOException {
        Path trace = Files.writeString(
                directory.resolve("t.csv"), "job,submit_s,gpus,duration_s,gpu_types\na,0,2,60,v-100\n");

        Shell shell = Shell.command("simulate --trace %s --cluster 8x8:V100 --scheduler fifo --json", trace);

        assertThat(leftOut(shell)).isEmpty();
    }
}
