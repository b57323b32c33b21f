package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.experiments.Shell;
import org.trainyard.experiments.drive.slurm.SlurmSnapshot;
import org.trainyard.experiments.io.JsonText;

/**
 * {@code drive slurm} on commands that answer as a Slurm did, of which jobs ran on 14 GPUs, a node was drained, and
 * others waited: 22 (32 GPUs), an array, 24 (1 GPU), 25 held, 26 in another QOS, 27 dependent.
 */
class DriveCommandTest {
    private static final Path RECORDED =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments/operators/src/test/resources/slurm");

    @TempDir
    private Path folder;

    private Path queue = RECORDED.resolve("squeue-0.0.38.json");
    private Path nodes = RECORDED.resolve("sinfo-0.0.38.json");

    /** What every command does first. */
    private String complaint = "";

    @BeforeEach
    void noCommandYet() throws IOException {
        Files.createFile(folder.resolve("done.txt"));
    }

    private Shell drive(String more) throws IOException {
        return drive("fifo-backfill", more);
    }

    private Shell drive(String scheduler, String more) throws IOException {
        Path script = folder.resolve("slurm.sh");
        Files.writeString(script, """
                #!/bin/sh
                %s
                case "$1" in
                squeue) exec cat '%s' ;;
                sinfo) exec cat '%s' ;;
                scontrol) shift; echo "$@" >> '%s/done.txt' ;;
                esac
                """.formatted(complaint, queue, nodes, folder));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Shell.run(("drive slurm --scheduler " + scheduler
                        + " --partition gpu --qos normal --max-polls 1 --budget-ms 60000 " + "--out "
                        + folder.resolve("out") + " --exec-prefix " + script + " " + more)
                .strip()
                .split(" +"));
    }

    private List<String> done() throws IOException {
        return Files.readAllLines(folder.resolve("done.txt")).stream()
                // The end in peace gives the jobs back.
                .takeWhile(line -> !line.endsWith("StartTime=now") || line.contains("Priority="))
                .toList();
    }

    private String edited(String name, String from, String to) throws IOException {
        String text = Files.readString(queue);
        assertThat(text).contains(from);
        queue = Files.writeString(folder.resolve(name), text.replace(from, to));
        return text;
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.38", "0.0.40"})
    void the_data_of_two_versions_are_read_alike(String version) throws IOException {
        queue = RECORDED.resolve("squeue-%s.json".formatted(version));
        nodes = RECORDED.resolve("sinfo-%s.json".formatted(version));

        Shell shell = drive("");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(done())
                .containsExactly(
                        "update JobId=24 Priority=4294901740 StartTime=now", "update JobId=22 StartTime=now+60");
        assertThat(SlurmSnapshot.of(JsonText.read(Files.readString(queue)), JsonText.read(Files.readString(nodes))))
                .isEqualTo(SlurmSnapshot.of(
                        JsonText.read(Files.readString(RECORDED.resolve("squeue-0.0.38.json"))),
                        JsonText.read(Files.readString(RECORDED.resolve("sinfo-0.0.38.json")))));
    }

    @Test
    void jobs_that_it_does_not_understand_are_left_and_said_so() throws IOException {
        Shell shell = drive("");

        assertThat(shell.out())
                .contains(
                        "start 24: 1 GPUs, priority 4294901740",
                        "wait 22",
                        "left 23 to Slurm: it is an array whose jobs wait together",
                        "left 25 to Slurm: it is held",
                        "left 27 to Slurm: it depends on other jobs")
                .doesNotContain(" 26");
    }

    @Test
    void gpus_are_known_where_slurm_does_not_account_for_them() throws IOException {
        edited("unaccounted.json", "cpu=1,mem=1000M,node=1,billing=1,gres/gpu=1", "cpu=1,mem=1000M,node=1,billing=1");

        assertThat(drive("").out()).contains("start 24: 1 GPUs, priority 4294901740");
    }

    @Test
    void a_dry_run_changes_nothing() throws IOException {
        Shell shell = drive("--dry-run");

        assertThat(shell.out()).contains("(dry run) start 24");
        assertThat(folder.resolve("done.txt")).isEmptyFile();
    }

    @Test
    void placement_names_the_nodes_and_spares_the_drained_one() throws IOException {
        drive("--level placement");

        assertThat(done().get(0)).matches("update JobId=24 Priority=4294901740 StartTime=now ReqNodeList=n0[1-7]");
    }

    @Test
    void held_jobs_are_taken_over_when_that_is_asked_for() throws IOException {
        drive("--held");

        assertThat(done()).startsWith("update JobId=25 StartTime=now+60", "release 25");
    }

    @Test
    void a_hold_whose_end_was_lost_is_ended_again_and_a_later_one_stays() throws IOException {
        drive("--held");
        Files.writeString(folder.resolve("done.txt"), "");
        drive("--held");
        assertThat(done()).contains("release 25");

        String held = edited("free.json", "\"priority\": 0,", "\"priority\": 4294901739,");
        drive("--held");
        Files.writeString(queue, held);
        Files.writeString(folder.resolve("done.txt"), "");
        assertThat(drive("--held").out()).contains("left 25 to Slurm: it is held");
        assertThat(done()).doesNotContain("release 25");
    }

    @Test
    void after_a_kill_nothing_is_told_twice() throws IOException {
        drive("");
        // A kill in the middle of a write leaves a part of a line.
        Files.writeString(folder.resolve("out/drive.log"), "00000000 {\"do", StandardOpenOption.APPEND);
        Files.writeString(folder.resolve("done.txt"), "");

        Shell again = drive("");

        assertThat(again.code()).as(again.err()).isZero();
        assertThat(done()).containsExactly("update JobId=22 StartTime=now+60");
    }

    @Test
    void what_happened_while_nobody_looked_is_made_up_for() throws IOException {
        drive("");
        // 24 has run and ended, 22 was cancelled and is no longer known, 19 lost its node and waits again.
        edited(
                "later.json",
                "\"job_id\": 24, \"job_state\": \"PENDING\"",
                "\"job_id\": 24, \"job_state\": \"COMPLETED\"");
        edited("later2.json", "\"job_id\": 22, ", "\"job_id\": 220, ");
        edited(
                "later3.json",
                "\"job_id\": 19, \"job_state\": \"RUNNING\"",
                "\"job_id\": 19, \"job_state\": \"PENDING\"");
        Files.writeString(folder.resolve("done.txt"), "");

        Shell again = drive("");

        assertThat(again.code()).as(again.err()).isZero();
        assertThat(done())
                .containsExactly(
                        "update JobId=19 Priority=4294901740 StartTime=now", "update JobId=220 StartTime=now+60");
        assertThat(again.out()).doesNotContain("not understood");
    }

    @Test
    void a_number_that_slurm_forgot_and_gave_away_is_another_job() throws IOException {
        drive("");
        String text = Files.readString(queue);
        String other = text.lines()
                .map(line -> !line.contains("\"job_id\": 22,")
                        ? line
                        : line.replace("\"submit_time\": 1767225601", "\"submit_time\": 1767225650")
                                .replace("gres/gpu=32", "gres/gpu=1"))
                .collect(Collectors.joining("\n"));
        assertThat(other).isNotEqualTo(text);
        queue = Files.writeString(folder.resolve("other.json"), other);
        Files.writeString(folder.resolve("done.txt"), "");

        Shell again = drive("");

        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out()).contains("start 22: 1 GPUs").doesNotContain("not understood");
        assertThat(done()).hasSize(1).first().asString().matches("update JobId=22 Priority=\\d+ StartTime=now");
    }

    @Test
    void a_job_whose_node_was_lost_waits_until_slurm_would_start_it() throws IOException {
        drive("");
        String text = Files.readString(queue);
        String requeued = text.lines()
                .map(line -> !line.contains("\"job_id\": 24,")
                        ? line
                        : line.replace("\"restart_cnt\": 0", "\"restart_cnt\": 1")
                                .replaceAll("\"eligible_time\": \\d+", "\"eligible_time\": 4102444800"))
                .collect(Collectors.joining("\n"));
        assertThat(requeued).contains("\"restart_cnt\": 1").contains("4102444800");
        queue = Files.writeString(folder.resolve("requeued.json"), requeued);
        Files.writeString(folder.resolve("done.txt"), "");

        Shell again = drive("");

        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out()).contains("left 24 to Slurm: it was requeued and waits until its nodes are clean");
        assertThat(done()).noneMatch(line -> line.contains("JobId=24"));
    }

    @Test
    void a_scheduler_that_knows_no_jobs_on_one_server_still_gets_them() throws IOException {
        edited(
                "pair.json",
                "\"tres_req_str\": \"cpu=1,mem=1000M,node=1,billing=1,gres/gpu=1\"",
                "\"tres_req_str\": \"gres/gpu=2\"");

        Shell shell = drive("patient", "--level placement");

        assertThat(shell.out()).contains("start 24: 2 GPUs on n0").doesNotContain("not understood");
    }

    @Test
    void a_slurm_that_does_not_answer_is_said_in_a_line() {
        Shell shell = Shell.command("drive slurm --scheduler fifo --out %s --exec-prefix false", folder.resolve("x"));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("squeue --json");
    }

    @Test
    void a_level_that_is_none_is_refused() throws IOException {
        Shell shell = drive("--level all");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("priority, placement or preemption");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cpu=1,mem=1000M,node=1,billing=1,gres/gpu=1 | cpu=1,gres/gpu=99999999999 | left 24 to Slurm: it cannot be read",
                "\"nodes\": \"n[03-04]\" | \"nodes\": \"n[0-999999999]\" | start 24",
                "\"node_count\": 2 | \"node_count\": 9000000000000000000 | start 24",
                "\"job_id\": 24 | \"job_id\": \"24; touch x\" | wait 22"
            })
    void a_job_that_cannot_be_is_left_to_slurm_and_the_others_go_on(String from, String to, String said)
            throws IOException {
        edited("absurd.json", from, to);

        Shell shell = drive("");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains(said);
        assertThat(Files.readString(folder.resolve("done.txt"))).doesNotContain("touch");
    }

    @Test
    void a_command_that_complains_at_length_is_heard_to_its_end() throws IOException {
        complaint = "head -c 300000 /dev/zero | tr '\\0' 'x' >&2";

        Shell shell = drive("--timeout 20");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("start 24");
    }
}
