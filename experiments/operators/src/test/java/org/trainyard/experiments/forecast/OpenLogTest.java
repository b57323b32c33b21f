package org.trainyard.experiments.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;

/**
 * {@code when} at the end of a log, where jobs run and wait: a server with four GPUs, jobs of 1 h, one after the other.
 */
class OpenLogTest {
    private static final int ENDED = 40;
    private static final LocalDateTime FIRST = LocalDateTime.parse("2026-03-02T08:00:00");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss");

    @TempDir
    private Path folder;

    private final List<String> rows = new ArrayList<>();

    @BeforeEach
    void a_job_runs_and_three_wait() {
        rows.add("JobID|User|State|Submit|Start|End|Timelimit|AllocTRES|ReqTRES|NodeList");
        for (int job = 0; job < ENDED; job++) {
            rows.add(row(job, "COMPLETED", 0.9 * job, job, job + 1));
        }
        rows.add(row(ENDED, "RUNNING", 36, ENDED, -1));
        for (int job = ENDED + 1; job < ENDED + 4; job++) {
            rows.add(row(job, "PENDING", job - 0.5, -1, -1));
        }
    }

    private static String time(double hour) {
        return hour < 0 ? "Unknown" : FIRST.plusSeconds(Math.round(3600 * hour)).format(TIME);
    }

    private static String row(int job, String state, double submit, double start, double end) {
        String gpus = "cpu=4,gres/gpu=4";
        return "%d|u|%s|%s|%s|%s|01:00:00|%s|%s|%s"
                .formatted(
                        job,
                        state,
                        time(submit),
                        time(start),
                        time(end),
                        start < 0 ? "" : gpus,
                        gpus,
                        start < 0 ? "" : "n1");
    }

    private Shell when(String... more) throws IOException {
        List<String> args = new ArrayList<>(
                List.of("when", Files.write(folder.resolve("sacct.txt"), rows).toString(), "--cluster", "1x4"));
        args.addAll(List.of("--learn", "0"));
        args.addAll(List.of(more));
        if (!args.contains("--futures")) {
            args.addAll(List.of("--futures", "3"));
        }
        if (!args.contains("--scheduler")) {
            args.addAll(List.of("--scheduler", "fifo"));
        }
        return Shell.run(args);
    }

    /** Slurm takes the cores of a suspended job, and leaves it its memory and its GPUs (cons_tres, rm_job_res). */
    @Test
    void a_suspended_job_holds_its_gpus_and_is_no_reason_to_refuse_a_log() throws IOException {
        JsonNode running = answer("--id", Integer.toString(ENDED + 2));
        rows.set(ENDED + 1, row(ENDED, "SUSPENDED", 36, ENDED, -1));
        JsonNode suspended = answer("--id", Integer.toString(ENDED + 2));

        assertThat(suspended.at("/cluster/gpus_held").asInt()).isEqualTo(4);
        assertThat(suspended.get("wait_s")).isEqualTo(running.get("wait_s"));
    }

    /** Job 34 ran from 34 h to 34.5 h and again from 35 h; between its runs another holds the server, and it waits. */
    @Test
    void a_job_that_was_preempted_holds_nothing_until_it_runs_again() throws IOException {
        rows.set(35, row(34, "PREEMPTED", 30, 34, 34.5));
        rows.set(36, row(34, "COMPLETED", 30, 35, 36));
        rows.add(row(90, "COMPLETED", 33, 34.5, 35));

        JsonNode between = answer("--job", "4gpus,1h", "--at", Integer.toString(34 * 3600 + 2700));
        JsonNode again = answer("--job", "4gpus,1h", "--at", Integer.toString(35 * 3600 + 900));

        assertThat(between.at("/cluster/gpus_held").asInt()).isEqualTo(4);
        assertThat(between.at("/ahead/0").asText()).isEqualTo("34");
        assertThat(again.at("/cluster/gpus_held").asInt()).isEqualTo(4);
    }

    /** Job 34 was preempted in the second of its start, at 34 h, and ran from 35 h. */
    @Test
    void a_job_that_was_preempted_at_once_holds_nothing_until_it_runs_again() throws IOException {
        rows.set(35, row(34, "PREEMPTED", 30, 34, 34));
        rows.set(36, row(34, "COMPLETED", 30, 35, 36));
        rows.add(row(90, "COMPLETED", 33, 34, 35));

        JsonNode between = answer("--job", "4gpus,1h", "--at", Integer.toString(34 * 3600 + 2700));

        assertThat(between.at("/cluster/gpus_held").asInt()).isEqualTo(4);
        assertThat(between.at("/ahead/0").asText()).isEqualTo("34");
    }

    private JsonNode answer(String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of(more));
        args.add("--json");
        Shell shell = when(args.toArray(String[]::new));
        assertThat(shell.code()).as(shell.err()).isZero();
        return JsonText.read(shell.out());
    }

    @Test
    void running_jobs_hold_their_gpus_and_waiting_ones_wait() throws IOException {
        JsonNode answer = answer("--id", "42");

        // The last submission, at 42.5 h, is the last event; job 40 has run for 2.5 h then, beyond its limit.
        assertThat(answer.at("/now_s").asDouble()).isEqualTo(42.5 * 3600);
        assertThat(answer.at("/cluster/gpus_held").asInt()).isEqualTo(4);
        assertThat(answer.at("/cluster/running").asInt()).isEqualTo(1);
        assertThat(answer.at("/cluster/waiting").asInt()).isEqualTo(3);
        assertThat(answer.at("/wait_s/p50").asDouble()).isBetween(3600.0, 3700.0);
        assertThat(answer.at("/ahead")).hasSize(1);
    }

    /**
     * Of the jobs that waited 1.5 h, 40 were cancelled then; job 42, ahead of job 43, has waited 1 h and would start in
     * 1 h.
     */
    @Test
    void waiting_jobs_are_cancelled_as_often_and_as_late_as_others_were() throws IOException {
        JsonNode without = answer("--id", "43", "--futures", "20");
        for (int job = 0; job < ENDED; job++) {
            rows.add(row(100 + job, "CANCELLED by 1", 0.9 * job, -1, 0.9 * job + 1.5));
        }
        JsonNode answer = answer("--id", "43", "--futures", "20");

        assertThat(without.at("/wait_s/p10").asDouble()).isGreaterThan(7200 - 100);
        assertThat(answer.at("/cluster/waiting").asInt()).isEqualTo(3);
        assertThat(answer.at("/wait_s/p10").asDouble()).isBetween(3500.0, 3700.0);
        assertThat(answer.at("/wait_s/p90").asDouble()).isBetween(7100.0, 7300.0);
    }

    @Test
    void a_log_ends_where_the_elapsed_times_of_its_running_jobs_do() throws IOException {
        rows.replaceAll(
                row -> row + (row.contains("|RUNNING|") ? "|02:45:00" : row.startsWith("JobID") ? "|Elapsed" : "|"));

        assertThat(answer("--id", "42").at("/now_s").asDouble()).isEqualTo(42.75 * 3600);
    }

    @Test
    void slurm_remembers_what_users_had_used_before_the_end() throws IOException {
        Path conf = Files.write(
                folder.resolve("slurm.conf"),
                List.of(
                        "PriorityType=priority/multifactor",
                        "PriorityDecayHalfLife=7-0",
                        "PriorityWeightFairshare=10000"));
        rows.replaceAll(row -> row.matches("4[02].*") ? row.replace("|u|", "|other" + row.charAt(1) + "|") : row);

        // Job 42 was submitted after job 41, whose user has held all GPUs for 40 h.
        JsonNode answer = answer("--id", "42", "--scheduler", "slurm:" + conf);
        assertThat(answer.at("/ahead")).isEmpty();
        assertThat(answer("--id", "41", "--scheduler", "slurm:" + conf)
                        .at("/ahead")
                        .get(0)
                        .asText())
                .isEqualTo("42");
    }

    /** All jobs came at once, so that none is drawn; the two that run end 30 s apart, and the loops look each 120 s. */
    @Test
    void a_job_that_needs_all_gpus_starts_when_a_loop_of_slurm_looks_next() throws IOException {
        Path conf = Files.write(
                folder.resolve("slurm.conf"),
                List.of("SchedulerParameters=batch_sched_delay=120,sched_interval=600,bf_interval=120"));
        rows.add(row(50, "RUNNING", 36, ENDED + 30 / 3600.0, -1));
        rows.replaceAll(row -> (row.contains("RUNNING") ? row.replace("gpu=4", "gpu=2") : row)
                .replaceFirst("^(\\d+\\|u\\|[A-Z]+\\|)[^|]*", "$1" + time(0)));

        JsonNode answer = answer("--id", "41", "--scheduler", "slurm:" + conf);

        assertThat(answer.at("/wait_s/p50").asDouble()).isBetween(3601.0, 3800.0);
    }

    @Test
    void they_ran_and_waited_before_the_end_too() throws IOException {
        JsonNode answer = answer("--job", "4 gpus, 1 h", "--at", "" + 40.75 * 3600);

        assertThat(answer.at("/cluster/gpus_held").asInt()).isEqualTo(4);
        assertThat(answer.at("/cluster/waiting").asInt()).isEqualTo(1);
        assertThat(answer.at("/wait_s/p50").asDouble()).isBetween(1.25 * 3600, 1.25 * 3600 + 100);
    }

    @Test
    void a_listing_of_the_queue_beside_the_log_prevails() throws IOException {
        Files.write(
                folder.resolve("squeue.txt"),
                List.of(
                        "JOBID|STATE|SUBMIT_TIME|START_TIME|END_TIME|TRES_PER_NODE|NODES|NODELIST(REASON)",
                        "41|RUNNING|%s|%s|%s|gres/gpu:4|1|n1".formatted(time(40.5), time(42.25), time(43.25)),
                        "42|PENDING|%s|N/A|N/A|gres/gpu:4|1|(Priority)".formatted(time(41.5)),
                        "50|PENDING|%s|N/A|N/A|gres/gpu:4|1|(Priority)".formatted(time(42.75))));

        Shell shell = when("--id", "50", "--json");

        assertThat(shell.err()).contains("note: 2 jobs that have no end in the log are not in", "squeue.txt");
        JsonNode answer = JsonText.read(shell.out());
        assertThat(answer.at("/now_s").asDouble()).isEqualTo(42.75 * 3600);
        assertThat(answer.at("/cluster/running").asInt()).isEqualTo(1);
        assertThat(answer.at("/cluster/waiting").asInt()).isEqualTo(2);
        assertThat(answer.at("/wait_s/p50").asDouble()).isBetween(1.5 * 3600 - 1, 1.5 * 3600 + 100);
    }

    @Test
    void an_instant_may_be_dated_and_one_after_the_end_is_refused() throws IOException {
        String dated = "" + (1_772_438_400L + 40 * 3600);

        assertThat(answer("--job", "4 gpus", "--at", dated).at("/now_s").asDouble())
                .isEqualTo(40 * 3600.0);

        Shell refused = when("--job", "4 gpus", "--at", "" + 50 * 3600);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--at", "180,000", "seconds from 0 to 153,000, when the log ends");
        assertThat(refused.out()).isEmpty();
    }

    /** What is no time was taken for the first submission, or for one before it. */
    @ParameterizedTest
    @CsvSource({"NaN, NaN", "-1, -1", "9.3e9, '9,300,000,000'", "Infinity, Infinity"})
    void an_instant_that_is_no_time_is_refused(String at, String said) throws IOException {
        Shell refused = when("--job", "4 gpus", "--at", at);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("--at: '%s' is not valid: expected seconds from 0 to 153,000".formatted(said));
    }

    @Test
    void an_instant_of_a_fifo_log_in_the_field_is_meant_by_seconds_since_1970() {
        Path log =
                Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "field", "f4-fifo-one-server.txt");
        assumeThat(log).exists();

        List<String> args =
                new ArrayList<>(List.of("when", log.toString(), "--cluster", "1x8", "--job", "8 gpus, 1 h"));
        args.addAll(List.of("--at", "1772500000", "--scheduler", "fifo", "--learn", "0", "--futures", "3", "--json"));
        Shell shell = Shell.run(args);

        // 61,600 s after the first submission one job runs, and 17 wait before it.
        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = JsonText.read(shell.out());
        assertThat(answer.at("/now_s").asDouble()).isEqualTo(61_600);
        assertThat(answer.at("/wait_s/p50").asDouble()).isEqualTo(64_400);
    }
}
