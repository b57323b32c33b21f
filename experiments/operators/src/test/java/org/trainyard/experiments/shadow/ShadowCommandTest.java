package org.trainyard.experiments.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.slurm.SlurmCommands;

/** {@code shadow}, on rehearsals and on commands that answer as Slurm's would. */
class ShadowCommandTest {
    private static final String SACCT = Path.of(
                    System.getProperty("trainyard.root", ".."), "env/logs/src/test/resources/traces/sacct.csv")
            .toString();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "easy", "srtf", "slurm"})
    void a_rehearsal_makes_the_decisions_of_simulate(String scheduler) throws IOException {
        Shell shadow = Shell.command("shadow %s --cluster 8x8:A100 --scheduler %s --json", SACCT, scheduler);
        Shell simulate = Shell.command(
                "simulate --trace %s --cluster 8x8:A100 --scheduler %s --as-logged --json", SACCT, scheduler);

        assertThat(shadow.code()).as(shadow.err()).isZero();
        assertThat(simulate.code()).as(simulate.err()).isZero();
        assertThat(JsonText.read(shadow.out()).get("event_log_sha256"))
                .isEqualTo(
                        JsonText.read(simulate.out()).get("schedulers").get(0).get("event_log_sha256"));
    }

    /** Job long, 100 s, then short, 10 s, both at 0 on one GPU that runs long first; one more on the next day. */
    private Path log() throws IOException {
        return Files.write(
                folder.resolve("log.csv"),
                List.of(
                        "job,submit_s,gpus,duration_s,start_s,end_s,account",
                        "first,0,1,300,0,300,a",
                        "long,1,1,1000,300,1300,a",
                        "short,2,1,200,1300,1500,b",
                        "next,90000,1,10,90000,90010,a"));
    }

    @Test
    void the_scheduler_of_the_log_starts_every_job_as_it_did() throws IOException {
        Shell shell = Shell.command("shadow %s --cluster 1x1 --scheduler fifo --json", log());

        JsonNode whole = JsonText.read(shell.out()).get("whole");
        assertThat(whole.get("starts").get("equal").asInt()).isEqualTo(4);
        assertThat(whole.get("saved_s").get("mean").asDouble()).isZero();
        assertThat(whole.get("delayed").get("jobs").asInt()).isZero();
    }

    @Test
    void another_scheduler_is_charged_with_the_jobs_that_it_delays() throws IOException {
        Shell shell = Shell.command("shadow %s --cluster 1x1 --scheduler sjf/first-fit --json", shorterKnown());

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = JsonText.read(shell.out());
        JsonNode whole = answer.get("whole");
        // The short job starts 1,000 s earlier, the long one 200 s later.
        assertThat(whole.get("starts").get("earlier").asInt()).isEqualTo(1);
        assertThat(whole.get("starts").get("later").asInt()).isEqualTo(1);
        assertThat(whole.get("saved_gpu_hours").asDouble()).isCloseTo(800 / 3600.0, within(1e-9));
        assertThat(whole.get("delayed").get("worst").get(0).get("job").asText()).isEqualTo("long");
        assertThat(whole.get("delayed").get("worst").get(0).get("later_s").asDouble())
                .isEqualTo(200);
    }

    /** As {@link #log}, after a short and a long run of the same users, which predict the others. */
    private Path shorterKnown() throws IOException {
        return Files.write(
                folder.resolve("known.csv"),
                List.of(
                        "job,submit_s,gpus,duration_s,start_s,end_s,user",
                        "p1,0,1,1000,0,1000,slow",
                        "p2,1000,1,200,1000,1200,quick",
                        "first,10000,1,300,10000,10300,slow",
                        "long,10001,1,1000,10300,11300,slow",
                        "short,10002,1,200,11300,11500,quick"));
    }

    @Test
    void days_are_reported_in_words_and_as_a_page() throws IOException {
        Path out = folder.resolve("out");
        Shell shell = Shell.command("shadow %s --cluster 1x1 --scheduler fifo --out %s", log(), out);

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains(
                        "In all: 4 jobs; 4 start as they did",
                        "Waits: ",
                        "Day 2: 1 job; 1 start as they did",
                        "Not known: ");
        assertThat(out.resolve("report.txt")).content().contains(shell.out());
        assertThat(out.resolve("report.html")).content().contains("Day 2");
        assertThat(JsonText.read(Files.readString(out.resolve("report.json"))).get("days"))
                .hasSize(2);
    }

    private static final String[] JOB = {
        "1",
        "1",
        "train",
        "ann",
        "a",
        "gpu",
        "normal",
        "COMPLETED",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00",
        "2026-01-01T00:05:00",
        "00:10:00",
        "gres/gpu=4",
        "gres/gpu=4",
        "1",
        "n1",
        "",
        "10"
    };

    private static String row(String id, String state, String submit, String start, String end) {
        String[] cells = JOB.clone();
        cells[0] = id;
        cells[1] = id;
        cells[7] = state;
        cells[8] = "2026-01-01T" + submit;
        cells[9] = cells[8];
        cells[10] = start.isEmpty() ? "Unknown" : "2026-01-01T" + start;
        cells[11] = end.isEmpty() ? "Unknown" : "2026-01-01T" + end;
        cells[13] = start.isEmpty() ? "" : cells[13];
        return String.join("|", Arrays.asList(cells));
    }

    /** A command that prints these rows as {@code sacct}, and has no other answers. */
    private Path slurm(String... rows) throws IOException {
        List<String> lines = new ArrayList<>(List.of(SlurmCommands.COLUMNS.replace(',', '|')));
        lines.addAll(List.of(rows));
        Path answer = Files.write(folder.resolve("sacct.txt"), lines);
        Path script = folder.resolve("slurm.sh");
        Files.writeString(script, "#!/bin/sh\n[ \"$1\" = sacct ] || exit 1\nexec cat '" + answer + "'\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Shell follow(Path slurm, Path out) {
        return Shell.command(
                "shadow slurm --cluster 1x4 --scheduler fifo --out %s --exec-prefix %s --max-polls 1 --json",
                out, slurm);
    }

    private static String[] ended() {
        return new String[] {
            row("1", "COMPLETED", "00:00:00", "00:00:00", "00:05:00"),
            row("2", "COMPLETED", "00:01:00", "00:05:00", "00:09:00"),
            row("3", "FAILED", "00:02:00", "00:09:00", "00:12:00")
        };
    }

    @Test
    void a_followed_slurm_is_compared_while_jobs_run_and_wait() throws IOException {
        Path out = folder.resolve("live");
        Shell shell = follow(
                slurm(
                        row("1", "COMPLETED", "00:00:00", "00:00:00", "00:05:00"),
                        row("2", "RUNNING", "00:01:00", "00:05:00", ""),
                        row("3", "PENDING", "00:02:00", "", "")),
                out);

        assertThat(shell.code()).as(shell.err()).isZero();
        JsonNode answer = JsonText.read(shell.out());
        assertThat(answer.get("whole").get("jobs").asInt()).isEqualTo(3);
        assertThat(answer.get("settled_s").asDouble()).isPositive();
        assertThat(answer.get("not_known").get(0).asText()).startsWith("when 2 jobs end, of which 1 still wait");
    }

    @Test
    void a_follower_that_was_killed_goes_on_and_ends_as_one_that_was_not() throws IOException {
        Path killed = folder.resolve("killed");
        follow(slurm(row("1", "RUNNING", "00:00:00", "00:00:00", "")), killed);
        // A kill in the middle of a write leaves a part of a line.
        Files.writeString(killed.resolve("observations.log"), "00000000 {\"ro", StandardOpenOption.APPEND);
        Shell again = follow(slurm(ended()[1], ended()[2]), killed);
        assertThat(again.err()).contains("holds 1 poll; it goes on from there");
        Shell last = follow(slurm(ended()), killed);
        Shell whole = follow(slurm(ended()), folder.resolve("whole"));

        assertThat(last.code()).as(last.err()).isZero();
        assertThat(last.out()).isEqualTo(whole.out());
        assertThat(JsonText.read(last.out()).get("settled_s").isNull()).isTrue();
    }

    /** A bar parts the columns, and Slurm prints it in names as it stands. */
    @Test
    void a_job_whose_name_has_bars_is_followed_as_others_are() throws IOException {
        String[] rows = ended();
        rows[1] = rows[1].replace("|train|", "|a|b||c|");

        Shell barred = follow(slurm(rows), folder.resolve("barred"));

        assertThat(barred.code()).as(barred.err()).isZero();
        assertThat(barred.out())
                .isEqualTo(follow(slurm(ended()), folder.resolve("plain")).out());
    }

    @Test
    void a_job_that_starts_ahead_of_our_clock_has_run_for_no_time() throws IOException {
        Instant now = Instant.parse("2026-01-01T00:04:58Z");
        SlurmCommands commands = new SlurmCommands(
                "shadow",
                List.of(slurm(
                                row("1", "RUNNING", "00:00:00", "00:01:00", ""),
                                row("2", "RUNNING", "00:00:00", "00:05:00", ""))
                        .toString()),
                60);

        try (FollowedSlurm followed = new FollowedSlurm(folder.resolve("followed.log"), ZoneOffset.UTC)) {
            assertThat(followed.poll(commands, now, now.minus(Duration.ofDays(1))))
                    .isEqualTo(2);
            assertThat(followed.closed().openSeconds()).isEqualTo(Map.of("1", 238.0, "2", 0.0));
        }
    }

    /** A command that answers with one more row at each call; from the third on it stops in the middle and hangs. */
    private Path growing() throws IOException {
        Path script = slurm(ended());
        Path calls = folder.resolve("calls");
        Files.writeString(script, """
                #!/bin/sh
                [ "$1" = sacct ] || exit 1
                echo call >> '%1$s'
                n=$(wc -l < '%1$s')
                if [ "$n" -lt 3 ]; then head -n $((n + 1)) '%2$s'; else head -c 200 '%2$s'; exec sleep 600; fi
                """.formatted(calls, folder.resolve("sacct.txt")));
        return script;
    }

    @Test
    void a_process_that_is_killed_with_signal_9_loses_nothing_and_keeps_nothing_twice() throws Exception {
        Path killed = folder.resolve("killed-9");
        ProcessBuilder builder = new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "org.trainyard.experiments.Main",
                "shadow",
                "slurm",
                "--cluster",
                "1x4",
                "--scheduler",
                "fifo",
                "--every",
                "1",
                "--out",
                killed.toString(),
                "--exec-prefix",
                growing().toString());
        // A long class path does not fit on a command line everywhere.
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process child = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader said = child.errorReader()) {
            String line = said.readLine();
            while (line != null && !line.startsWith("poll 2")) {
                line = said.readLine();
            }
            assertThat(line).isNotNull();
        } finally {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly().waitFor();
        }

        Shell last = follow(slurm(ended()), killed);
        Shell whole = follow(slurm(ended()), folder.resolve("whole-9"));

        assertThat(last.err()).contains("holds 2 polls; it goes on from there");
        assertThat(last.out()).isEqualTo(whole.out());
        assertThat(Files.readAllLines(killed.resolve("observations.log")).stream()
                        .filter(line -> line.contains("\"row\"")))
                .hasSize(3)
                .doesNotHaveDuplicates();
    }

    @Test
    void a_slurm_that_does_not_answer_in_time_is_named_in_a_line() throws IOException {
        Path script = slurm();
        Files.writeString(script, "#!/bin/sh\nexec sleep 60\n");

        Shell shell = Shell.command(
                "shadow slurm --cluster 1x4 --scheduler fifo --out %s --exec-prefix %s --max-polls 1 --timeout 1",
                folder.resolve("slow"), script);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("Slurm does not answer sacct", "(within 1 s (--timeout))");
    }

    @Test
    void a_live_shadow_needs_a_folder() {
        Shell shell = Shell.command("shadow slurm --cluster 1x4 --scheduler fifo");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("--out");
    }

    @ParameterizedTest
    @CsvSource({
        "--format=sacct, sacct",
        "--virtual-cluster=a, a",
        "--strict, true",
        "--max-mb=5, 5",
        "--separator=;, ;",
        "--columns=job=id, job=id",
        "--shards=4, 4",
        "--gpu-replicas=2, 2",
        "--maintenance=gaps, gaps"
    })
    void a_live_shadow_refuses_what_only_a_log_heeds_and_writes_nothing(String option, String value) {
        Path out = folder.resolve("refused");

        Shell shell = Shell.command("shadow slurm --cluster 1x4 --scheduler fifo --out %s %s", out, option);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .isEqualTo("trainyard: %s: '%s' is not valid: expected a log rather than `slurm` beside it\n"
                        .formatted(option.split("=")[0], value));
        assertThat(out).doesNotExist();
    }

    @Test
    void times_of_slurm_are_read_in_the_zone_that_is_given() throws IOException {
        Path out = folder.resolve("elsewhere");

        Shell shell = Shell.command(
                "shadow slurm --cluster 1x4 --scheduler fifo --out %s --exec-prefix %s --max-polls 1 --zone Pacific/Kiritimati",
                out, slurm(ended()));

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(Files.readString(out.resolve("observations.log"))).containsPattern("\"poll\":\"[^\"]*\\+14:00\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EDT", "CEST", "PST", "Nowhere/Here"})
    void a_name_of_summer_or_winter_is_no_zone(String name) throws IOException {
        Shell shell = Shell.command(
                "shadow slurm --cluster 1x4 --scheduler fifo --out %s --exec-prefix %s --max-polls 1 --zone %s",
                folder.resolve("none"), slurm(ended()), name);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines())
                .last()
                .isEqualTo(
                        "trainyard: --zone: '%s' is not valid: expected a zone such as Europe/Berlin, UTC or +08:00, not a name of summer or winter alone"
                                .formatted(name));
    }
}
