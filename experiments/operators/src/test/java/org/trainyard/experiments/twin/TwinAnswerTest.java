package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;

/** Answers of recordings written by hand, in which job 7 starts on n1 as by our rules, and job 8 on n2. */
class TwinAnswerTest {
    private static final String[] LOG = {
        "100 submit 7 4294901759",
        "200 submit 8 4294901758",
        "1000 main",
        "1001 start 7 n1",
        "1002 start 8 n2",
        "20000 end 7",
        "40000 end 8"
    };

    @TempDir
    private Path folder;

    private SmallRecording recording;

    @BeforeEach
    void twoJobs() throws IOException {
        Files.createDirectory(folder.resolve("a"));
        recording = recording("a");
    }

    private SmallRecording recording(String name) throws IOException {
        Files.createDirectories(folder.resolve(name));
        return new SmallRecording(folder.resolve(name)).job("7", 1, 10).job("8", 1, 10);
    }

    private String console() {
        return Twin.of(folder.resolve("a"), 1).answer().console().replaceAll(" +", " ");
    }

    private JsonNode json() {
        return JsonText.read(Twin.of(folder.resolve("a"), 1).json());
    }

    @Test
    void a_recording_that_is_decided_alike_is_said_in_tables() throws IOException {
        recording.folder(LOG);

        String console = console();

        assertThat(console)
                .contains(
                        "a: 2 jobs on 2 nodes\n",
                        "Every cycle of the log, from the state that it had:",
                        "starts (job and nodes) 2 2 100.0 %",
                        "nodes of each start by itself 2 2 100.0 %",
                        "priorities 2 2 100.0 %",
                        "Free runs, the last start of each job:",
                        "recorded 1.0 1.0",
                        "twin, recorded cycles 100.0 % 100.0 % 100.0 % 100.0 % 1.0 1.0",
                        "twin, modelled cycles (mean of 1) 100.0 % 100.0 % 100.0 % 100.0 %")
                .doesNotContain(
                        "planned",
                        "Fewer than",
                        "that differ",
                        "never start",
                        "can never",
                        "standard deviation",
                        "GPUs of");
        JsonNode json = json();
        assertThat(json.get("jobs").asInt()).isEqualTo(2);
        assertThat(json.get("per_cycle").get("cycles").asInt()).isEqualTo(1);
        assertThat(json.get("per_cycle").get("starts_equal").asDouble()).isEqualTo(1);
        assertThat(json.get("priority").get("equal").asDouble()).isEqualTo(1);
        assertThat(json.get("recorded_cycles").get("within_5s").asDouble()).isEqualTo(1);
        assertThat(json.get("recorded_cycles").has("within_30s")).isFalse();
        assertThat(json.get("modelled_cycles").get("within_30s").asDouble()).isEqualTo(1);
        assertThat(json.get("wait_s").get("past").get("mean").asDouble()).isEqualTo(1.0015);
        assertThat(json.has("never_start")).isFalse();
        assertThat(json.has("not_modelled")).isFalse();
        assertThat(Twin.startsEqual(folder.resolve("a"))).isEqualTo(1);
    }

    /** Both starts are on the other's node, and the priorities are those of other rules. */
    @Test
    void a_recording_that_is_decided_otherwise_says_what_differs() throws IOException {
        recording.folder(
                "100 submit 7 70",
                "200 submit 8 60",
                "1000 main",
                "1001 start 7 n2",
                "1002 start 8 n1",
                "20000 end 7",
                "40000 end 8");

        assertThat(console())
                .contains(
                        "starts (job and nodes) 0 2 0.0 %",
                        "Fewer than 95 % of the starts are decided as in the past: this cluster does something",
                        "The first decisions that differ, cycle by cycle:\n 08:00:01.000 main: job 7, past start on [n2], twin start on [n1]",
                        "The first priorities that differ:\n 08:00:00.100: priority of job 7, past 70, twin",
                        "The first starts that differ in the free run with recorded cycles:\n job 7: past main at 0.9 s on [n2]; twin main at 0.9 s on [n1], at its first try");
        assertThat(Twin.startsEqual(folder.resolve("a"))).isZero();
    }

    @Test
    void without_a_log_there_is_no_cycle_to_compare() throws IOException {
        recording = new SmallRecording(folder.resolve("a"))
                .ran("7", "COMPLETED", "08:00:03", "08:01:00", "n1")
                .ran("8", "COMPLETED", "08:00:05", "08:01:00", "n2");
        recording.folder();

        assertThat(console())
                .contains("There is no slurmctld.log: no cycle can be compared.", "recorded 4.0 5.0")
                .doesNotContain("recorded cycles", "Every cycle");
        assertThat(json().get("per_cycle").isNull()).isTrue();
        assertThat(json().get("priority").isNull()).isTrue();
        assertThat(Twin.startsEqual(folder.resolve("a"))).isNull();
    }

    @Test
    void jobs_that_never_start_are_counted_by_reason() throws IOException {
        recording.job("9", 1, 90).job("10", 1, 90).job("11", 3, 10).folder(LOG);

        assertThat(console())
                .contains(
                        "2 jobs can never start and are left out of the free runs: PartitionTimeLimit (partition p)",
                        "1 job can never start and is left out of the free runs: ");
        assertThat(json().get("never_start")
                        .get("PartitionTimeLimit (partition p)")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void what_is_not_replayed_is_counted() throws IOException {
        recording.job("9+0", 1, 10).job("9+1", 1, 10).folder(LOG);

        assertThat(console()).contains("2 jobs: each is a part of a heterogeneous job: is left out");
        assertThat(json().get("not_modelled").size()).isEqualTo(1);
    }

    /** Job 9 is held when it starts in the log: somebody let it go of whom no line tells. */
    @Test
    void starts_that_no_run_has_are_said() throws IOException {
        List<String> log = new ArrayList<>(List.of(LOG));
        log.addAll(List.of("41000 submit 9 4294901757", "41500 hold 9", "42000 start 9 n1"));
        recording.job("9", 1, 10).folder(log.toArray(String[]::new));

        assertThat(console())
                .contains(
                        "1.0 jobs that started in the past never start in a run with modelled cycles, and are in none of its figures.",
                        "job 9: past at 41.9 s on [n1]; twin never");
    }

    /** Bits of the GPUs of the first node: job 7 has all eight of n1, and of job 8 only some are said. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0,1,2,3,4,5,6,7; 7,6,5,4,3,2,1,0; 2 2 100.0 %",
                "0,1,2,3,4,5,6,7; 0; 1 2 50.0 %",
                "0,1,2,3,4,5,6,7; ''; 1 1 100.0 %"
            })
    void gpus_of_starts_are_compared_where_the_recording_tells_them(String first, String second, String share)
            throws IOException {
        recording
                .file(
                        "decisions.csv",
                        "event,first_node_gpus",
                        "submit,",
                        "start,\"%s\"".formatted(first),
                        "start,\"%s\"".formatted(second))
                .folder(LOG);

        assertThat(console()).contains("GPUs of each start " + share);
    }

    @Test
    void fewer_lines_of_gpus_than_starts_are_compared_as_far_as_they_go() throws IOException {
        recording
                .file("decisions.csv", "event,first_node_gpus", "start,\"0,1,2,3,4,5,6,7\"")
                .folder(LOG);

        assertThat(console()).contains("GPUs of each start 1 1 100.0 %");
    }

    @ParameterizedTest
    @ValueSource(strings = {"64", "-1", "x", "\"0,99\""})
    void an_index_that_no_gpu_has_is_refused(String gpus) throws IOException {
        recording
                .file("decisions.csv", "event,first_node_gpus", "start," + gpus)
                .folder(LOG);

        assertThatThrownBy(this::console)
                .isInstanceOf(InputException.class)
                .hasMessageContaining("decisions.csv:2, first_node_gpus")
                .hasMessageContaining("expected indices of GPUs such as 0,1");
    }

    private SmallRecording sister(String name, String conf, String trace) throws IOException {
        return recording(name)
                .conf(conf)
                .file("trace.csv", "idx,gpus,nodes,limit_min,run_s", trace)
                .file("submitted.csv", "idx,jobid", "9,99");
    }

    /** Of the same trace and settings: b, in which job 8 starts 10 s later than here; its trace began an hour later. */
    @Test
    void recordings_of_the_same_trace_beside_it_say_how_far_slurm_repeats_itself() throws IOException {
        String trace = "1,8,1,10,9";
        sister("a", SmallRecording.CONF, trace)
                .file("t0.csv", "t0_iso", "2026-03-02T08:00:00")
                .folder(LOG);
        sister("b", SmallRecording.CONF, trace)
                .file("t0.csv", "t0_iso", "2026-03-02T09:00:00")
                .folder(
                        "3600100 submit 7 2",
                        "3600200 submit 8 1",
                        "3601001 start 7 n1",
                        "3611002 start 8 n1",
                        "3640000 end 7");
        sister("c", SmallRecording.CONF, "1,8,1,10,8").folder(LOG);
        sister("d", SmallRecording.CONF.replace("bf_resolution=1", "bf_interval=7"), trace)
                .folder(LOG);
        sister("e", SmallRecording.CONF.replace("backfill", "builtin"), trace).folder(LOG);
        sister("f", "PriorityType=priority/multifactor\n" + SmallRecording.CONF, trace)
                .folder(LOG);
        sister("g", "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n" + SmallRecording.CONF, trace)
                .folder(LOG);
        Files.createDirectory(folder.resolve("h"));
        Files.copy(folder.resolve("a/trace.csv"), folder.resolve("h/trace.csv"));

        String console = console();

        assertThat(console).contains("Slurm again: b 50.0 % 100.0 % 100.0 % 50.0 % 6.0 11.0");
        assertThat(console.lines().filter(line -> line.contains("Slurm again"))).hasSize(1);
    }

    @Test
    void a_recording_beside_it_that_does_not_say_when_it_began_is_none() throws IOException {
        String trace = "1,8,1,10,9";
        sister("a", SmallRecording.CONF, trace)
                .file("t0.csv", "t0_iso", "2026-03-02T08:00:00")
                .folder(LOG);
        sister("b", SmallRecording.CONF, trace).file("t0.csv", "t0_iso").folder(LOG);

        assertThat(console()).doesNotContain("Slurm again");
    }

    @Test
    void a_folder_that_is_none_is_refused() {
        assertThatThrownBy(() -> Twin.of(folder.resolve("none")))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("none: is no folder: expected one with slurm.conf and sacct.txt");
    }
}
