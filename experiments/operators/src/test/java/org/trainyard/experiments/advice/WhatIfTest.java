package org.trainyard.experiments.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.RandomStreams;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

/** {@code advise --what-if}, on the log of one server with four GPUs that runs 40 jobs of 100 s one after the other. */
class WhatIfTest {
    /** Replays shift submissions by some seconds. */
    private static final double SHIFT = 5;

    @TempDir
    private Path folder;

    private String log = "";

    @BeforeEach
    void write_a_log() throws IOException {
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s,account"));
        for (int job = 0; job < 40; job++) {
            lines.add("j%d,%d,4,100,%d,%d,%s"
                    .formatted(job, 90 * job, 100 * job, 100 * job + 100, job % 2 == 0 ? "even" : "odd"));
        }
        log = Files.write(folder.resolve("log.csv"), lines).toString();
    }

    private Shell whatIf(String change, String scheduler) {
        return Shell.command("advise %s --cluster 1x4:A100 --what-if %s --scheduler %s --json", log, change, scheduler);
    }

    private double meanWait(String change) throws IOException {
        Shell shell = whatIf(change, "fifo");
        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode rows = JsonText.read(shell.out()).get("what_if");
        // Job n waits 10 n seconds as it is.
        assertThat(rows.get(0).get("wait_s").get("mean").asDouble()).isEqualTo(195, within(SHIFT));
        return rows.get(1).get("wait_s").get("mean").asDouble();
    }

    @Test
    void a_second_server_or_faster_gpus_end_the_queue() throws IOException {
        assertThat(meanWait("servers=+1")).isZero();
        assertThat(meanWait("racks=+1")).isZero();
        assertThat(meanWait("gpus=H100")).isZero();
    }

    @Test
    void denser_arrivals_wait_longer_and_several_changes_add_up() throws IOException {
        // Job n is submitted at 45 n seconds and starts at 100 n.
        assertThat(meanWait("arrivals=2")).isEqualTo(55 * 19.5, within(SHIFT));
        assertThat(meanWait("arrivals=2, gpus=H100")).isEqualTo(5 * 19.5, within(SHIFT));
    }

    @Test
    void jobs_end_at_a_lower_limit_and_the_work_that_they_lack_is_said() throws IOException {
        assertThat(meanWait("limit=50s")).isZero();
        // Job n is submitted at 90 n seconds and starts at 95 n.
        assertThat(meanWait("limit=95s")).isEqualTo(5 * 19.5, within(SHIFT));
        assertThat(whatIf("limit=50s", "fifo").out())
                .contains(
                        "limit=50s: longer limits are cut to it; 40 jobs of the log run longer and end there, without 2.2 GPU-hours");
    }

    @Test
    void a_job_waits_for_the_end_of_a_window_that_its_limit_crosses() throws IOException {
        // Job 0 ends before the window, which ends at 1,000 s; the others run after it, 900 s later.
        assertThat(meanWait("window=110s..1000s, limit=100s")).isEqualTo(195 + 900 * 39 / 40.0, within(SHIFT));
        assertThat(meanWait("window=50s..1000s, limit=100s")).isEqualTo(195 + 1000, within(SHIFT));
    }

    @Test
    void a_window_given_by_dates_is_said_as_it_was_given() throws IOException {
        String dated = Files.readString(Path.of(log))
                .lines()
                .map(line -> line.startsWith("job") ? line : dated(line))
                .collect(Collectors.joining("\n", "", "\n"));
        Files.writeString(Path.of(log), dated);

        Shell shell = Shell.command(
                "advise %s --cluster 1x4:A100 --what-if %s --scheduler fifo",
                log, "window=2026-01-13T06:30..2026-01-13T06:45");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("What if window=2026-01-13T06:30..2026-01-13T06:45: the mean wait would change from");
    }

    /** A row of the log whose times are counted from 06:00 of a day. */
    private static String dated(String row) {
        String[] cells = row.split(",", -1);
        for (int cell : new int[] {1, 4, 5}) {
            cells[cell] = Instant.parse("2026-01-13T06:00:00Z")
                    .plusSeconds(Long.parseLong(cells[cell]))
                    .toString();
        }
        return String.join(",", cells);
    }

    @Test
    void a_quota_of_an_account_binds_its_jobs_alone() throws IOException {
        Shell both = whatIf("servers=+1", "fifo-backfill");
        Shell bound = whatIf("servers=+1, quota even=4", "fifo-backfill");

        assertThat(bound.code()).as(bound.err()).isZero();
        assertThat(JsonText.read(both.out()).get("what_if")).hasSize(2);
        assertThat(JsonText.read(bound.out())
                        .get("what_if")
                        .get(1)
                        .get("wait_s")
                        .get("mean")
                        .asDouble())
                .isZero();
        Shell impossible = whatIf("quota even=2", "fifo-backfill");
        assertThat(impossible.code()).isEqualTo(2);
        assertThat(impossible.err()).contains("quotas, even");
    }

    /** Three hundred jobs of three accounts on a server with four GPUs, of one to four GPUs and of minutes to hours. */
    private Path mixed() throws IOException {
        RandomGenerator random = RandomStreams.stream(7, "mixed");
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,account,limit_s"));
        long submit = 0;
        for (int job = 0; job < 300; job++) {
            submit += random.nextLong(1200);
            long seconds = 60 + random.nextLong(random.nextInt(10) == 0 ? 20_000 : 1500);
            lines.add("j%d,%d,%d,%d,%s,%d"
                    .formatted(job, submit, 1 + random.nextInt(4), seconds, "abc".charAt(job % 3), 2 * seconds));
        }
        return Files.write(folder.resolve("mixed.csv"), lines);
    }

    /** That arrivals are denser by a ten thousandth changes the order of some starts, and nothing else. */
    @Test
    void a_change_that_only_shuffles_the_queue_is_no_answer_for_any_account() throws IOException {
        Shell shell =
                Shell.command("advise %s --cluster 1x4 --what-if %s --scheduler slurm", mixed(), "arrivals=1.0001");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains(
                        "What if arrivals=1.0001: no clear change of the mean wait of ",
                        "By account: no clear change for a, b, c.");
    }

    @Test
    void a_clear_change_of_an_account_has_its_figures_and_its_interval() throws IOException {
        JsonNode row = JsonText.read(
                        Shell.command("advise %s --cluster 1x4 --what-if servers=+1 --scheduler slurm --json", mixed())
                                .out())
                .get("what_if")
                .get(1);

        assertThat(row.get("by_account")).hasSize(3);
        for (JsonNode account : row.get("by_account")) {
            assertThat(account.get("jobs").asInt()).isEqualTo(100);
            assertThat(account.get("wait_now_s").asDouble()
                            - account.get("wait_then_s").asDouble())
                    .isBetween(
                            account.at("/saved_s/interval/0").asDouble(),
                            account.at("/saved_s/interval/1").asDouble());
            assertThat(account.at("/saved_s/interval/0").asDouble()).isPositive();
        }
        assertThat(Shell.command("advise %s --cluster 1x4 --what-if servers=+1 --scheduler slurm", mixed())
                        .out())
                .containsPattern("By account: a .* to .* \\(100 jobs\\); b .*; c .*\\.\n");
    }

    /**
     * Of each two jobs the second started first: the mean wait is near that of FIFO, and about half of the starts are
     * not.
     */
    @Test
    void trust_counts_starts_as_the_ranking_does() throws IOException {
        List<String> lines = new ArrayList<>(List.of("job,submit_s,gpus,duration_s,start_s,end_s"));
        for (int job = 0; job < 40; job++) {
            int start = 2000 + 100 * (job ^ 1);
            lines.add("j%d,%d,4,100,%d,%d".formatted(job, 2 * job, start, start + 100));
        }
        lines.set(1, "j0,0,4,2200,0,2200");
        lines.set(2, "j1,2,4,100,2200,2300");
        Files.write(Path.of(log), lines);

        assertThat(Shell.command("advise %s --cluster 1x4 --what-if servers=+1 --scheduler fifo", log)
                        .out())
                .contains(
                        "Trust: fair; nothing was fitted; the mean wait is off by 2 % and the p95 by 2 %; 53 % of the jobs start within a minute");
    }

    @Test
    void parameters_and_weights_replace_those_of_slurm_conf() {
        SlurmFiles files = new SlurmFiles(
                "slurm.conf",
                List.of(
                        "SchedulerParameters=bf_continue,bf_window=60",
                        "PriorityWeightAge=1",
                        "PriorityType=priority/multifactor"),
                null,
                null,
                null,
                null);

        assertThat(WhatIf.parse("--what-if", "bf_window=2880, priority age=2000")
                        .files(files)
                        .conf())
                .containsExactly(
                        "PriorityType=priority/multifactor",
                        "SchedulerParameters=bf_continue,bf_window=2880",
                        "PriorityWeightAge=2000");
    }

    @Test
    void slurm_is_replayed_with_its_changes() {
        Shell shell = whatIf("bf_window=2880", "slurm");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("in slurm.conf SchedulerParameters=...,bf_window=2880")
                .contains("bf_window=2880: every job waits exactly as it does without it.");
        assertThat(whatIf("priority fairshare=200000", "slurm").out())
                .contains(
                        "priority fairshare=200000: every job waits exactly as it does without it; weights count under")
                .contains("PriorityType=priority/multifactor");
        assertThat(whatIf("servers=+1", "slurm").out()).doesNotContain("exactly as");
    }

    @Test
    void servers_are_added_to_the_nodes_that_slurm_conf_names() throws IOException {
        Path conf = Files.write(
                folder.resolve("slurm.conf"),
                List.of("NodeName=n1 CPUs=8 Gres=gpu:4", "PartitionName=p Nodes=n1 Default=YES MaxTime=60"));

        Shell shell = whatIf("servers=+1", "slurm:" + conf);

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode rows = JsonText.read(shell.out()).get("what_if");
        assertThat(rows.get(0).get("wait_s").get("mean").asDouble()).isGreaterThan(190);
        assertThat(rows.get(1).get("wait_s").get("mean").asDouble()).isLessThan(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "racks|\"racks=+2\"",
                "racks=0|a number from",
                "gpus=nothing|a type of GPU",
                "priority luck=1|fairshare",
                "window=2h..2h|an end after the begin",
                "window=2h..1h|an end after the begin",
                "bf_window=10|is not Slurm"
            })
    void a_change_that_cannot_be_tried_is_refused_in_a_line(String change, String says) {
        Shell shell = whatIf(change, "fifo");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).contains("--what-if", says);
    }

    @Test
    void a_page_has_the_table_and_the_cluster_over_time() throws IOException {
        Path out = folder.resolve("out");
        Shell shell = Shell.command("advise %s --cluster 1x4 --what-if arrivals=2 --out %s", log, out);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("What if arrivals=2: the mean wait would change from", "as it is, simulated");
        assertThat(out.resolve("what-if.html")).content().contains("arrivals=2", "timelines");
        assertThat(JsonText.read(Files.readString(out.resolve("what-if.json"))).get("what_if"))
                .hasSize(2);
    }
}
