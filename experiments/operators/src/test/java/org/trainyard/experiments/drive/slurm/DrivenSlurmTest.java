package org.trainyard.experiments.drive.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.experiments.drive.DriveLevel;
import org.trainyard.experiments.drive.DriveSettings;
import org.trainyard.experiments.drive.DrivenJobs;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.drive.RefusedException;
import org.trainyard.experiments.slurm.SlurmCommands;
import org.trainyard.experiments.slurm.UnansweredException;

/** The words of {@code scontrol}, by a script that writes down what it is asked for. */
class DrivenSlurmTest {
    private static final long WALL = 1_800_000_000L;

    @TempDir
    private Path folder;

    private DrivenSlurm slurm(String control) throws IOException {
        return new DrivenSlurm(slurmCommands(control), Clock.fixed(Instant.ofEpochSecond(WALL), ZoneOffset.UTC));
    }

    private SlurmCommands slurmCommands(String control) throws IOException {
        Path script = folder.resolve("slurm.sh");
        Files.writeString(script, "#!/bin/sh\nshift\necho \"$@\" >> '%s/asked'\n%s\n".formatted(folder, control));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new SlurmCommands("drive", List.of(script.toString()), 20);
    }

    private List<String> asked() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("asked"));
        Files.delete(folder.resolve("asked"));
        return lines;
    }

    private static LiveJob job(int id, long eligible, String nodes) {
        return DrivenJobs.of(Stage.PENDING, "id=%d eligible=%d nodes=%s".formatted(id, eligible, nodes));
    }

    private static List<LiveJob> jobs(int last) {
        return IntStream.rangeClosed(1, last).mapToObj(id -> job(id, 0, "")).toList();
    }

    /** At most 200 jobs in one command, and nodes are taken from one job at a time. */
    @Test
    void many_jobs_are_postponed_in_parts_and_those_with_nodes_alone() throws IOException {
        DrivenSlurm slurm = slurm("");
        slurm.postpone(jobs(200), 60);
        assertThat(asked()).hasSize(1);
        List<LiveJob> more = new ArrayList<>(jobs(401));
        more.add(job(500, 0, "n1"));
        more.add(job(501, 0, "n2"));

        slurm.postpone(more, 60);
        assertThat(asked())
                .extracting(line -> line.replaceAll("(\\d+)(,\\d+)*,(\\d+)", "$1..$3"))
                .containsExactly(
                        "update JobId=1..200 StartTime=now+60",
                        "update JobId=201..400 StartTime=now+60",
                        "update JobId=401 StartTime=now+60",
                        "update JobId=500 StartTime=now+60 ReqNodeList=",
                        "update JobId=501 StartTime=now+60 ReqNodeList=");
        slurm.release(jobs(201));
        assertThat(asked()).hasSize(2).last().isEqualTo("release 201");
        slurm.requeue(job(3, 0, ""));
        assertThat(asked()).containsExactly("requeue 3");
    }

    /**
     * Each part is asked for, jobs that cannot be changed are released all the same, and the refusal is thrown at last.
     */
    @Test
    void a_refusal_of_one_part_does_not_keep_the_others() throws IOException {
        DrivenSlurm slurm = slurm("case \"$2\" in JobId=1,*) echo 'Access denied' >&2; exit 1;; esac");

        assertThatThrownBy(() -> slurm.giveBack(jobs(202))).isInstanceOf(RefusedException.class);
        assertThat(asked())
                .extracting(line -> line.replaceAll("(\\d+)(,\\d+)*,(\\d+)", "$1..$3"))
                .containsExactly(
                        "update JobId=1..200 StartTime=now",
                        "update JobId=201..202 StartTime=now",
                        "release 1..200",
                        "release 201..202");
    }

    /** Words about a job that has ended or started come too late; others are a refusal. */
    @ParameterizedTest
    @CsvSource({
        "Job/step already completing or completed, true",
        "slurm_update error: Job has already finished, true",
        "Invalid job id specified, true",
        "Job is no longer pending execution, true",
        "Requested operation is presently disabled: Job is pending execution, true",
        "Invalid node name specified, true",
        "Access/permission denied, false",
        "Job is running, false"
    })
    void words_of_slurm_say_whether_an_order_came_too_late(String words, boolean isLate) throws IOException {
        DrivenSlurm slurm = slurm("echo '%s' >&2; exit 1".formatted(words));

        assertThatThrownBy(() -> slurm.requeue(job(1, 0, "")))
                .isInstanceOfSatisfying(RefusedException.class, refused -> {
                    assertThat(refused.words()).isEqualTo(words);
                    assertThat(refused.isLate()).isEqualTo(isLate);
                });
    }

    /** A begin time of more than 15 s ahead was not meant as a start. */
    @Test
    void a_start_was_missed_where_slurm_will_begin_much_later() throws IOException {
        DrivenSlurm slurm = slurm("");
        assertThat(slurm.hasMissed(job(1, WALL + 15, ""))).isFalse();
        assertThat(slurm.hasMissed(job(1, WALL + 16, ""))).isTrue();
        assertThat(slurm.startsByItself()).isTrue();
    }

    /** It began 1 h 2 min 3 s before its own clock, which need not be ours. */
    @Test
    void the_start_of_slurm_is_told_by_its_own_clock() throws IOException {
        DrivenSlurm slurm = slurm("echo 'Configuration data as of 2026-03-02T10:02:03'\n"
                + "echo 'AccountingStorageBackupHost = (null)'\necho 'BOOT_TIME               = 2026-03-02T09:00:00'");
        assertThat(slurm.startedMillis()).isEqualTo((WALL - 3723) * 1000);
        assertThat(slurm("echo nothing").startedMillis()).isZero();
    }

    /**
     * Berlin puts clocks back at 3:00 on 25 October, and forward at 2:00 on 29 March; the last case is of a Slurm in
     * UTC.
     */
    @ParameterizedTest
    @CsvSource({
        "2026-10-25T11:00:00Z, 2026-10-25T12:00:00, 2026-10-25T00:30:00, 2026-10-24T22:30:00Z",
        "2026-03-29T10:00:00Z, 2026-03-29T12:00:00, 2026-03-29T00:30:00, 2026-03-28T23:30:00Z",
        // A start that clocks show twice, and one that they skip
        "2026-10-25T11:00:00Z, 2026-10-25T12:00:00, 2026-10-25T02:30:00, 2026-10-25T00:30:00Z",
        "2026-03-29T10:00:00Z, 2026-03-29T12:00:00, 2026-03-29T02:30:00, 2026-03-29T01:30:00Z",
        // Now is shown twice
        "2026-10-25T00:45:00Z, 2026-10-25T02:45:00, 2026-10-25T02:30:00, 2026-10-25T00:30:00Z",
        "2026-10-25T01:45:00Z, 2026-10-25T02:44:00, 2026-10-25T01:30:00, 2026-10-24T23:31:00Z",
        "2026-10-25T11:00:00Z, 2026-10-25T11:00:00, 2026-10-24T23:30:00, 2026-10-24T23:30:00Z"
    })
    void a_start_before_a_night_in_which_clocks_change_is_not_moved_by_an_hour(
            Instant now, String asOf, String boot, Instant started) throws IOException {
        SlurmCommands commands = slurmCommands(
                "echo 'Configuration data as of %s'\necho 'BOOT_TIME               = %s'".formatted(asOf, boot));

        DrivenSlurm slurm = new DrivenSlurm(commands, Clock.fixed(now, ZoneId.of("Europe/Berlin")));

        assertThat(Instant.ofEpochMilli(slurm.startedMillis())).isEqualTo(started);
    }

    /**
     * Slurm shows the memory of a whole node as asked for by a job that names none, also where it counts cores alone.
     */
    @ParameterizedTest
    @CsvSource({"CR_CORE_MEMORY, 600", "cr_cpu_memory, 600", "CR_CORE, 9223372036854775807", "'', 600"})
    void memory_is_free_where_slurm_does_not_count_it(String select, long free) throws IOException {
        DrivenSlurm slurm = slurm("""
                case "$1" in
                --json) echo '{"jobs": [], "nodes": [{"name": "n1", "gres": "gpu:a100:4", "cpus": 8, "alloc_cpus": 3,\
                 "real_memory": 1000, "alloc_memory": 400, "partitions": ["p"]}]}' ;;
                show) echo 'SelectType              = select/cons_tres'; echo 'SelectTypeParameters    = %s' ;;
                esac
                """.formatted(select));
        LiveSnapshot seen = slurm.look();
        assertThat(seen.nodes().get("n1").freeMemoryMib()).isEqualTo(600);

        slurm.requireKnown(
                new DriveSettings(
                        folder, null, DriveLevel.PRIORITY, null, null, false, 60, 20, 0, List.of(), List.of(), false),
                seen);

        assertThat(slurm.look().nodes())
                .containsExactly(
                        Map.entry("n1", new LiveSnapshot.Node("n1", 4, "A100", false, 0, 5, free, Set.of("p"))));
    }

    @ParameterizedTest
    @CsvSource({
        "Invalid user id, false",
        "Access/permission denied, false",
        "Operation not permitted, false",
        "needs privilege, false",
        "Requested reservation is invalid, true"
    })
    void who_may_not_change_jobs_is_refused_in_slurms_words(String words, boolean mayDrive) throws IOException {
        DrivenSlurm slurm = slurm("echo '%s' >&2; exit 1".formatted(words));
        if (mayDrive) {
            assertThatCode(() -> slurm.requireRights(DriveLevel.PRIORITY)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> slurm.requireRights(DriveLevel.PRIORITY))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining(words)
                    .hasMessageContaining("AdminLevel=Operator");
        }
        assertThat(asked()).containsExactly("update ReservationName=trainyard-rights Duration=1");
    }

    private SlurmCommands commands(int limitSeconds) {
        return new SlurmCommands("drive", List.of(folder.resolve("slurm.sh").toString()), limitSeconds);
    }

    /**
     * Words of commands that end in another way than by an answer, and whether the same command may be answered later.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1 | true"
                        + " | Slurm does not answer squeue --json (slurm_load_jobs error: Unable to contact slurm controller)",
                "exit 255 | true | Slurm does not answer squeue --json (code 255)",
                "echo '{\"errors\": [{\"error\": \"no luck\"}]}'; echo down >&2 | true"
                        + " | Slurm does not answer squeue --json (an error: no luck; down)",
                "echo waiting >&2; exec sleep 20 | true | Slurm does not answer squeue --json (within 3 s (--timeout): waiting)",
                "echo 'cannot stat file /etc/slurm.conf' >&2; sleep 20 | false"
                        + " | an answer within 3 s (--timeout), not cannot stat file /etc/slurm.conf",
                "echo 'unrecognized option --json' >&2; exit 1 | false"
                        + " | success, not code 1 (unrecognized option --json)"
            })
    void commands_without_an_answer_are_no_mistakes_of_the_user(String script, boolean isUnanswered, String words)
            throws IOException {
        slurm(script);
        SlurmCommands commands = commands(script.contains("sleep") ? 3 : 60);

        assertThatThrownBy(() -> commands.json("squeue"))
                .isInstanceOf(isUnanswered ? UnansweredException.class : InputException.class)
                .hasMessageEndingWith(words);
    }

    /** As the master of ssh, which the first of many connections leaves behind. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sleep 60 >/dev/null & sleep 1; echo '{\"jobs\": []}' | {\"jobs\":[]}",
                "sleep 60 >/dev/null & echo no luck >&2; sleep 1; exit 1"
                        + " | drive: 'squeue --json' is not valid: expected success, not code 1 (no luck)",
                "sleep 60 & sleep 1 | Slurm does not answer squeue --json (within 3 s (--timeout))"
            })
    @Timeout(55)
    void a_process_that_a_command_leaves_behind_is_not_waited_for(String script, String said) throws IOException {
        slurm(script);
        SlurmCommands commands = commands(script.contains("/dev/null") ? 30 : 3);
        String heard;
        try {
            heard = commands.json("squeue").toString();
        } catch (InputException e) {
            heard = e.getMessage();
        }

        assertThat(heard).isEqualTo(said);
    }
}
