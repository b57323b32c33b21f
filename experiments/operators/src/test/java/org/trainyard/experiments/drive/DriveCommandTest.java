package org.trainyard.experiments.drive;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.trainyard.experiments.service.journal.EntryLog;

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
    /** What {@code scontrol} does first. */
    private String control = "";

    @BeforeEach
    void noCommandYet() throws IOException {
        Files.createFile(folder.resolve("done.txt"));
    }

    private Shell drive(String more) throws IOException {
        return drive("fifo-backfill", more);
    }

    private Shell drive(String scheduler, String more) throws IOException {
        Path script = script();
        return Shell.run(("drive slurm --scheduler " + scheduler
                        + " --partition gpu --qos normal --budget-ms 60000 "
                        + (more.contains("--max-polls") ? "" : "--max-polls 1 ") + "--out "
                        + folder.resolve("out") + " --exec-prefix " + script + " " + more)
                .strip()
                .split(" +"));
    }

    /** The commands of a Slurm. */
    private Path script() throws IOException {
        Path script = folder.resolve("slurm.sh");
        Files.writeString(script, """
                #!/bin/sh
                %s
                case "$1" in
                squeue) exec cat '%s' ;;
                sinfo) exec cat '%s' ;;
                sacctmgr) if [ "$4" = qos ]; then echo high; echo normal; else echo root; echo u1; fi ;;
                id) [ "$3" = ann ] ;;
                scontrol) shift; %s
                    [ "$*" = 'show config' ] || echo "$@" >> '%s/done.txt' ;;
                esac
                """.formatted(complaint, queue, nodes, control, folder));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }

    /** Makes the log as it would be had everything happened a minute earlier. */
    private void age() throws IOException {
        Path log = folder.resolve("out/drive.log");
        List<JsonNode> entries = new ArrayList<>();
        new EntryLog(log, entries::add).close();
        Files.delete(log);
        try (EntryLog aged = new EntryLog(log, entry -> {})) {
            aged.append(entries.stream()
                    .map(entry -> ((ObjectNode) entry).put("at", entry.get("at").asLong() - 60_000))
                    .toList());
        }
    }

    /** What is there after a kill: no job was given back. */
    private void killed() throws IOException {
        Path log = folder.resolve("out/drive.log");
        Files.write(
                log,
                Files.readAllLines(log).stream()
                        .filter(line -> !line.contains("give back"))
                        .toList());
        Files.writeString(folder.resolve("done.txt"), "");
    }

    private List<String> done() throws IOException {
        return Files.readAllLines(folder.resolve("done.txt")).stream()
                .filter(line -> !line.contains("ReservationName=trainyard-rights"))
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

    /** Slurm starts jobs of one priority by their submission, whatever the order in which they are told. */
    @Test
    void each_start_of_an_answer_has_a_lower_priority_than_the_one_before() throws IOException {
        change(22, "gres/gpu=32", "gres/gpu=1");
        change(26, "\"qos\": \"[a-z]+\"", "\"qos\": \"normal\"");

        drive("");

        assertThat(done())
                .containsExactly(
                        "update JobId=22 Priority=4294901740 StartTime=now",
                        "update JobId=24 Priority=4294901739 StartTime=now",
                        "update JobId=26 Priority=4294901738 StartTime=now");
    }

    @ParameterizedTest
    @CsvSource({"8, 4, 4", "7, 4, 3", "1, 1, 0", "0, 0, 0"})
    void gpus_of_a_job_whose_nodes_say_nothing_are_spread_evenly(int gpus, int first, int second) throws IOException {
        String job = """
                {"jobs": [{"job_id": 5, "job_state": ["RUNNING"], "nodes": "n[1-2]", "node_count": 2,
                 "tres_alloc_str": "cpu=2,node=2,gres/gpu=%d"}]}
                """.formatted(gpus);
        Map<String, Integer> held = SlurmSnapshot.of(JsonText.read(job), JsonText.read("{\"nodes\": []}"))
                .jobs()
                .get("5")
                .allocated();

        assertThat(held.getOrDefault("n1", 0)).isEqualTo(first);
        assertThat(held.getOrDefault("n2", 0)).isEqualTo(second);
    }

    /**
     * Slurm goes on to show a begin time ahead of a job that was told to start: the start was lost, and is told again.
     */
    @ParameterizedTest
    @CsvSource({"400, 1", "5, 0"})
    void a_start_that_slurm_missed_is_told_again(int secondsAhead, int starts) throws IOException {
        drive("");
        killed();
        change(
                24,
                "\"eligible_time\": \\d+",
                "\"eligible_time\": %d".formatted(System.currentTimeMillis() / 1000 + secondsAhead));

        drive("");

        assertThat(startsOf24()).hasSize(starts);
    }

    @Test
    void jobs_that_it_does_not_understand_are_left_and_said_so() throws IOException {
        Shell shell = drive("");

        assertThat(shell.out())
                .contains(
                        "start 24: 1 GPU, priority 4294901740",
                        "wait 22",
                        "left 23 to Slurm: it is an array whose jobs wait together",
                        "left 25 to Slurm: it is held",
                        "left 27 to Slurm: it depends on other jobs")
                .doesNotContain(" 26");
    }

    @Test
    void gpus_are_known_where_slurm_does_not_account_for_them() throws IOException {
        edited("unaccounted.json", "cpu=1,mem=1000M,node=1,billing=1,gres/gpu=1", "cpu=1,mem=1000M,node=1,billing=1");

        assertThat(drive("").out()).contains("start 24: 1 GPU, priority 4294901740");
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

        assertThat(done().get(0)).isEqualTo("update JobId=24 StartTime=now+60");
        assertThat(done().get(1)).matches("update JobId=24 Priority=4294901740 StartTime=now ReqNodeList=n0[1-7]");
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
        startedAt("07:00:00");
        assertThat(drive("--held").out()).contains("left 25 to Slurm: it is held");
        assertThat(done()).doesNotContain("release 25");
    }

    /** A slurmctld that was started at a time of the day says so at eight o'clock of the zone that it is in. */
    private void startedAt(String time) {
        control = "case \"$*\" in 'show config') echo 'Configuration data as of 2026-11-29T08:00:00';"
                + " echo 'BOOT_TIME               = 2026-11-29T%s'; exit ;; esac".formatted(time);
    }

    @Test
    void after_a_kill_nothing_is_told_twice() throws IOException {
        drive("");
        killed();
        // A kill in the middle of a write leaves a part of a line.
        Files.writeString(folder.resolve("out/drive.log"), "00000000 {\"do", StandardOpenOption.APPEND);

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
        killed();

        Shell again = drive("");

        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out()).contains("start 22: 1 GPU").doesNotContain("not understood");
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

    /** Slurm holds for good what it cannot launch beside its first copy. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_job_whose_named_node_was_lost_is_cleared_of_it_and_starts_no_earlier(boolean isDriven) throws IOException {
        told("");
        change(24, "\"restart_cnt\": 0", "\"restart_cnt\": 1");
        change(24, "\"eligible_time\": \\d+", "\"eligible_time\": " + (System.currentTimeMillis() / 1000 + 1000));
        script();

        Shell shell = isDriven ? drive("--level placement") : giveBack();

        assertThat(asked().stream().filter(line -> line.contains("24")))
                .as(shell.out())
                .isNotEmpty()
                .allMatch(
                        line -> line.matches("update JobId=24 StartTime=now\\+(9\\d\\d|1000) ReqNodeList=|release 24"));
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

    /** The controller is not reached twice, in the middle of its queue and its orders, and then answers. */
    @Test
    void a_slurm_that_is_not_reached_at_the_start_is_asked_again() throws IOException {
        String contact =
                "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1";
        complaint = "echo $1 >> %s/tries; [ $(wc -l < %s/tries) -lt 3 ] && { %s; }".formatted(folder, folder, contact);

        Shell shell = drive("--max-polls 3 --every 0.05");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .containsOnlyOnce("asked again until it answers")
                .contains("Unable to contact slurm controller (connect failure)", "start 24");
    }

    /** Slurm 22.05 without its controller: code 0, no jobs, and an error. */
    @Test
    void a_queue_with_errors_is_no_empty_queue() throws IOException {
        drive("");
        killed();
        Path journal = folder.resolve("out/slurm.journal");
        String before = Files.readString(journal);
        String log = Files.readString(folder.resolve("out/drive.log"));
        Path whole = queue;
        queue = Files.writeString(
                folder.resolve("down.json"),
                "{\"errors\": [{\"source\": \"slurm_load_jobs\", \"description\": \"Failed while looking for jobs\"}], \"jobs\": []}");

        Shell shell = drive("");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .isEqualToIgnoringNewLines(
                        "trainyard: Slurm does not answer squeue --json (slurm_load_jobs: Failed while looking for jobs)");
        assertThat(Files.readString(journal)).isEqualTo(before);
        assertThat(Files.readString(folder.resolve("out/drive.log"))).isEqualTo(log);
        queue = whole;
        assertThat(drive("").out()).contains("given back: 2 jobs").doesNotContain("start 24");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--checkpoint checkpoints/nope | trainyard: --checkpoint: 'checkpoints/nope' is not valid: expected a folder of a trained policy",
                "--scheduler fifo --every 2s | trainyard drive slurm: Invalid value for option '--every': '2s' is not a number",
                "--scheduler fifo --lease 60s | trainyard drive slurm: Invalid value for option '--lease': '60s' is not a whole number"
            })
    void a_value_of_another_kind_is_refused_in_words_of_the_user(String options, String words) {
        Shell shell = Shell.run("drive slurm --out %s %s"
                .formatted(folder.resolve("x"), options)
                .split(" "));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines()).first().isEqualTo(words);
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
                "cpu=1,mem=1000M,node=1,billing=1,gres/gpu=1 | cpu=1,gres/gpu=99999999999 | to Slurm: it cannot be read",
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

    /** All that Slurm was asked for, the probe of rights apart. */
    private List<String> asked() throws IOException {
        return Files.readAllLines(folder.resolve("done.txt")).stream()
                .filter(line -> !line.contains("ReservationName=trainyard-rights"))
                .toList();
    }

    /** The next look finds the queue with these replacements in the line of a job. */
    private void change(int job, String from, String to) throws IOException {
        String before = Files.readString(queue);
        String after = before.lines()
                .map(line -> line.contains("\"job_id\": %d,".formatted(job)) ? line.replaceAll(from, to) : line)
                .collect(Collectors.joining("\n"));
        assertThat(after).isNotEqualTo(before.strip());
        queue = Files.writeString(folder.resolve("queue-%s.json".formatted(after.hashCode())), after);
    }

    private List<String> startsOf24() throws IOException {
        return asked().stream()
                .filter(line -> line.contains("JobId=24 Priority"))
                .map(line -> line.substring(line.indexOf("ReqNodeList=") + 12))
                .toList();
    }

    /** A driver that was killed has told job 24 a node, which Slurm shows. */
    private String told(String more) throws IOException {
        drive("--level placement " + more);
        String node = startsOf24().get(0);
        killed();
        change(24, "\"required_nodes\": \"\"", "\"required_nodes\": \"%s\"".formatted(node));
        script();
        return node;
    }

    private Shell giveBack() {
        return Shell.run(
                "drive",
                "slurm",
                "--give-back",
                "--out",
                folder.resolve("out").toString(),
                "--exec-prefix",
                folder.resolve("slurm.sh").toString());
    }

    @Test
    void all_jobs_of_the_log_are_given_back_without_a_driver() throws IOException {
        told("");

        Shell shell = giveBack();

        assertThat(asked())
                .startsWith(
                        "update JobId=22 StartTime=now", "update JobId=24 StartTime=now ReqNodeList=", "release 22,24");
        // This queue goes on to show the node: what is not given back is said.
        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("still waiting for a driver: 24; run --give-back again");

        change(24, "\"required_nodes\": \"n0.\"", "\"required_nodes\": \"\"");
        script();
        Shell again = giveBack();
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out()).contains("given back: 0 jobs");
    }

    @Test
    void the_next_driver_clears_the_nodes_of_the_one_before() throws IOException {
        told("");

        drive("");

        assertThat(asked()).startsWith("update JobId=24 StartTime=now+60 ReqNodeList=");
        assertThat(asked()).contains("update JobId=24 Priority=4294901740 StartTime=now");
    }

    /** A job beside others takes the node that they leave; who fears them takes an empty one from a wide job. */
    @ParameterizedTest
    @CsvSource({"'', n04", "--interference-model none, n04", "--interference-model training, n05"})
    void a_job_whose_model_nobody_names_fears_no_neighbours(String belief, String node) throws IOException {
        drive("patient", "--level placement " + belief);

        assertThat(startsOf24()).containsExactly(node);
    }

    @Test
    void a_start_that_has_not_come_is_taken_back_and_its_nodes_are_avoided() throws IOException {
        told("");

        Shell again = drive("--level placement --max-polls 3 --every 1 --start-within 1");

        assertThat(again.out()).contains("take back 24: its start on n0", "has not come (Priority, limit 1 s)");
        assertThat(startsOf24()).hasSizeGreaterThan(1).doesNotHaveDuplicates();
    }

    @Test
    void a_job_is_told_other_nodes_when_its_own_take_none() throws IOException {
        String node = told("");
        String text = Files.readString(nodes);
        nodes = Files.writeString(
                folder.resolve("drained.json"),
                text.lines()
                        .map(line -> line.contains("\"%s\"".formatted(node))
                                ? line.replaceAll("\"state_flags\": \\[.*?\\]", "\"state_flags\": [\"DRAIN\"]")
                                : line)
                        .collect(Collectors.joining("\n")));

        drive("--level placement");

        assertThat(startsOf24()).hasSize(1).doesNotContain(node);
    }

    @Test
    void a_job_that_slurm_holds_because_of_our_nodes_is_released() throws IOException {
        told("");
        change(24, "\"priority\": \\d+", "\"priority\": 0");
        change(24, "\"state_reason\": \"Priority\"", "\"state_reason\": \"BadConstraints\"");

        drive("--level placement");

        assertThat(asked()).startsWith("update JobId=24 StartTime=now+60 ReqNodeList=", "release 24");
    }

    @Test
    void a_job_is_told_no_more_nodes_than_it_asks_for_where_slurm_guesses_more() throws IOException {
        change(24, "\"node_count\": 1, \"max_nodes\": 1", "\"node_count\": 2, \"max_nodes\": 1");

        drive("--level placement");

        assertThat(startsOf24()).singleElement().asString().matches("n0\\d");
    }

    @Test
    void who_may_not_change_jobs_is_told_so_before_anything_is_done() throws IOException {
        control = "case \"$*\" in *ReservationName=*) echo 'slurm_update error: Invalid user id' >&2; exit 1 ;; esac";

        Shell shell = drive("");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("Invalid user id", "AdminLevel=Operator");
        assertThat(asked()).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void a_refusal_reads_as_what_it_is_and_the_job_is_left() throws IOException {
        control =
                "case \"$*\" in *'JobId=24 Priority'*) echo 'Access/permission denied for job 24' >&2; exit 1 ;; esac";

        Shell shell = drive("--max-polls 3 --every 0.1");

        assertThat(shell.out())
                .contains(
                        "Slurm refused to start 24: Access/permission denied for job 24",
                        "left 24 to Slurm: it is refused its start by Slurm; it is tried again after 600 s")
                .contains("refused by Slurm 1");
        assertThat(Files.readString(folder.resolve("out/drive.log"))).contains("Access/permission denied for job 24");
    }

    @Test
    void a_silence_is_no_refusal() throws IOException {
        control =
                "case \"$*\" in *'JobId=24 Priority'*) echo 'Unable to contact slurm controller (connect failure)' >&2; exit 1 ;; esac";

        assertThat(drive("").out())
                .contains("Unable to contact slurm controller", "orders without an answer 1")
                .doesNotContain("refused by");
    }

    @Test
    void a_dry_run_leaves_nothing_that_a_driver_believes() throws IOException {
        drive("--dry-run");
        assertThat(Files.readString(folder.resolve("out/drive.log"))).contains("\"dry\":true");
        assertThat(folder.resolve("done.txt")).isEmptyFile();

        drive("");

        assertThat(done()).contains("update JobId=24 Priority=4294901740 StartTime=now");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"features\": \"\" | \"features\": \"a100\" | it asks for features of nodes",
                "\"licenses\": \"\" | \"licenses\": \"fluent:1\" | it asks for licences",
                "\"features\": \"\" | \"features\": \"\", \"shared\": \"none\" | it asks for whole nodes (--exclusive)",
                "\"features\": \"\" | \"features\": \"\", \"shared\": [\"user\"] | it asks for whole nodes (--exclusive)",
                "gres/gpu=1\" | gres/gpu=1,gres/gpu:h100=1\" | it asks for GPUs of a type that the scheduler or the cluster does not know",
                "\"partition\": \"gpu\" | \"partition\": \"gpu,big\" | it asks for several partitions",
                "\"features\": \"\" | \"features\": \"\", \"memory_per_node\": 900, \"cpus\": 9 | it finds no cores or memory beside free GPUs"
            })
    void what_no_mirror_knows_is_left_to_slurm(String from, String to, String why) throws IOException {
        withRoom(8, 800);
        change(24, from.strip(), to.strip());

        Shell shell = drive("--start-within 1 --max-polls 3 --every 0.7");

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("left 24 to Slurm: " + why);
        assertThat(done()).noneMatch(line -> line.contains("JobId=24 Priority"));
    }

    /** All nodes have eight cores and 1000 MiB, of which the last idle one has so many free and the others none. */
    private void withRoom(int cpus, int mebibytes) throws IOException {
        String text = Files.readString(nodes);
        nodes = Files.writeString(
                folder.resolve("room.json"),
                text.lines()
                        .map(line -> line.replace(
                                "\"cpus\": 8",
                                "\"cpus\": 8, \"real_memory\": 1000, \"alloc_memory\": %d, \"alloc_cpus\": %d"
                                        .formatted(
                                                line.contains("n07") ? 1000 - mebibytes : 1000,
                                                line.contains("n07") ? 8 - cpus : 8)))
                        .collect(Collectors.joining("\n")));
    }

    @Test
    void a_job_is_moved_to_where_its_cores_and_memory_are_free() throws IOException {
        withRoom(2, 500);
        change(24, "\"features\": \"\"", "\"features\": \"\", \"cpus\": 2");
        change(24, "cpu=1,mem=1000M", "cpu=2,mem=0.45G");

        drive("--level placement");

        assertThat(startsOf24()).containsExactly("n07");
    }

    @Test
    void a_type_that_the_cluster_has_is_planned() throws IOException {
        change(24, "gres/gpu=1\"", "gres/gpu=1,gres/gpu:a100=1\"");

        assertThat(drive("").out()).contains("start 24");
    }

    @Test
    void gpus_of_which_slurm_has_lost_count_are_not_used() throws IOException {
        String text = Files.readString(nodes);
        nodes = Files.writeString(
                folder.resolve("lost.json"), text.replaceAll("gpu:a100:[02]\\(IDX:[^)]*\\)", "gpu:a100:4(IDX:0-3)"));
        Shell shell = drive("--max-polls 2 --every 0.1");

        assertThat(shell.out())
                .contains(
                        "Slurm counts GPUs as held that no job has, and they are left out: {n04=2, n05=4, n06=4, n07=4}");
    }

    @Test
    void users_and_partitions_are_left_alone() throws IOException {
        drive("--leave-user u1");
        assertThat(done()).noneMatch(line -> line.contains("JobId=24"));
        drive("--leave-partition gpu");
        assertThat(done()).isEmpty();
    }

    /** Jobs of a name that is mistyped would be touched; the last user is known to the machine alone. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--partition gpus | --partition: 'gpus' is not valid: expected one of gpu, prio",
                "--leave-partition gpu,gqu | --leave-partition: 'gqu' is not valid: expected one of gpu, prio",
                "--qos norml | --qos: 'norml' is not valid: expected one of high, normal",
                "--leave-user u1,v1 | --leave-user: 'v1' is not valid: expected one of root, u1",
                "--leave-user ann |",
                "--lease 10 --every 6 | --lease: '10' is not valid: expected at least twice --every, which is 6.0 s",
                "--lease 3601 | --lease: '3601' is not valid: expected a number in 10..3600"
            })
    void names_that_slurm_does_not_know_and_leases_that_are_none_are_refused(String options, String words)
            throws IOException {
        Shell shell = Shell.run("drive slurm --scheduler fifo --max-polls 1 --out %s --exec-prefix %s %s"
                .formatted(folder.resolve("out"), script(), options)
                .split(" +"));

        assertThat(shell.code()).isEqualTo(words == null ? 0 : 2);
        assertThat(shell.err()).isEqualToIgnoringNewLines(words == null ? "" : "trainyard: " + words);
        assertThat(asked()).filteredOn(line -> line.startsWith("update JobId")).hasSize(words == null ? 2 : 0);
    }

    /** As on a disk that is full, or of which nobody may write: something else is where a file is to be. */
    @ParameterizedTest
    @ValueSource(strings = {"drive.log", "slurm.journal"})
    void a_folder_that_cannot_be_written_is_a_line_and_code_2(String file) throws IOException {
        drive("");
        Files.delete(folder.resolve("out/" + file));
        Files.createDirectory(folder.resolve("out/" + file));

        Shell shell = drive("");

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .isEqualToIgnoringNewLines(
                        "trainyard: --out: %s: Is a directory; free the disk, or name a folder that can be written, and start again"
                                .formatted(folder.resolve("out")));
    }

    @Test
    void no_more_jobs_start_in_a_minute_than_are_allowed() throws IOException {
        change(22, "gres/gpu=32", "gres/gpu=1");

        Shell shell = drive("--starts-per-minute 1 --max-polls 2 --every 0.1");

        assertThat(shell.out()).contains("told to start 1", "starts put off by --starts-per-minute");
    }

    @Test
    void the_log_has_nodes_priority_reason_and_answer() throws IOException {
        drive("--level placement");

        assertThat(Files.readString(folder.resolve("out/drive.log")))
                .containsPattern("\"nodes\":\\[\"n0.\"\\],\"priority\":4294901740,\"why\":\"decided in \\d+ ms\"")
                .contains("\"do\":\"answer\"", "\"answer\":\"done\"");
        assertThat(Files.readString(folder.resolve("out/metrics.prom")))
                .containsPattern("(?m)^trainyard_drive_heartbeat_seconds\\{out=\"out\"} [1-9]")
                .contains("trainyard_drive_standstill_looks{out=\"out\"} 0", "what=\"told to start\"");
    }

    /** The first forecast may take longer than a look waits for it; then a later look has it. */
    @Test
    void the_metrics_say_why_jobs_wait_and_how_long_a_new_one_would() throws IOException {
        for (int left : List.of(23, 26)) {
            change(left, "\"state_reason\": \"Priority\"", "\"state_reason\": \"Dependency\"");
        }
        String metrics = "";
        for (int tries = 0; tries < 10 && !metrics.contains("forecast_wait"); tries++) {
            drive("");
            metrics = Files.readString(folder.resolve("out/metrics.prom"));
        }

        assertThat(metrics)
                .containsPattern("(?m)^trainyard_drive_reason_jobs\\{out=\"out\",reason=\"[A-Z]\\w+\"\\} [1-9]")
                .containsPattern(
                        "(?m)^trainyard_drive_forecast_wait_seconds\\{gpus=\"1\",out=\"out\",quantile=\"0.5\"\\} \\d")
                .contains("trainyard_drive_forecast_wait_seconds{gpus=\"4\",out=\"out\",quantile=\"0.9\"}");
    }

    @Test
    void a_job_that_was_submitted_held_and_is_left_is_released() throws IOException {
        change(25, "\"licenses\": \"\"", "\"licenses\": \"fluent:1\"");

        drive("--held");

        assertThat(asked()).startsWith("release 25").noneMatch(line -> line.contains("JobId=25"));
    }

    @Test
    void a_job_without_an_account_is_driven_as_any_other() throws IOException {
        change(24, "\"account\": \"a\"", "\"account\": \"\"");

        assertThat(drive("").out()).contains("start 24").doesNotContain("not understood");
    }

    @Test
    void a_job_that_runs_meanwhile_is_named_no_nodes_for_slurm_would_shrink_it() throws IOException {
        control =
                "case \"$*\" in *'JobId=24 StartTime=now+60'*) echo 'Job is no longer pending execution for job 24' >&2; exit 1 ;; esac";

        Shell shell = drive("--level placement");

        assertThat(asked()).noneMatch(line -> line.contains("ReqNodeList"));
        assertThat(shell.out()).contains("too late for Slurm 1").doesNotContain("refused", "left 24");
    }

    @Test
    void a_release_that_slurm_forgot_as_it_died_is_made_again() throws IOException {
        drive("--held");
        String held = edited("free.json", "\"priority\": 0,", "\"priority\": 4294901739,");
        drive("--held");
        Files.writeString(queue, held);
        Files.writeString(folder.resolve("done.txt"), "");
        // Nobody drove for a minute, in which it died.
        age();
        startedAt("08:00:00");

        drive("--held");

        assertThat(asked()).contains("release 25");
    }

    @Test
    void a_release_that_slurm_forgot_is_made_again_without_a_driver() throws IOException {
        drive("--held");
        startedAt("08:00:00");
        script();

        Shell shell = giveBack();

        assertThat(asked()).contains("release 25");
        assertThat(shell.err()).contains("still waiting for a driver: 25; run --give-back again");
    }

    /** Between the look and the lease, slurmctld died and gave the number of a job to one that is left to it. */
    @Test
    void a_lease_on_another_job_of_the_same_number_is_given_back() throws IOException {
        Path other = folder.resolve("other.json");
        Files.writeString(
                other,
                Files.readString(queue)
                        .lines()
                        .map(line -> line.contains("\"job_id\": 25,")
                                ? line.replace("\"licenses\": \"\"", "\"licenses\": \"fluent:1\"")
                                        .replaceAll("\"priority\": 0", "\"priority\": 4294901739")
                                : line)
                        .collect(Collectors.joining("\n")));
        complaint = "grep -q 'release 25' %s/done.txt && [ $1 = squeue ] && exec cat %s".formatted(folder, other);

        drive("--held");

        assertThat(asked())
                .startsWith("update JobId=25 StartTime=now+60", "release 25", "update JobId=25 StartTime=now");
    }

    @Test
    void jobs_that_wait_for_a_second_driver_are_given_back_again() throws IOException {
        drive("");
        Files.writeString(folder.resolve("done.txt"), "");

        drive("");

        assertThat(asked()).contains("update JobId=22 StartTime=now+60", "update JobId=22,24 StartTime=now");
    }
}
