package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Free runs of logs written by hand, with the cycles of the log: jobs that need a whole node, of which there is one.
 */
class FreeRunRecordedTest {
    private static final String ONE_NODE = SmallRecording.CONF.replace("n[1-2]", "n1");

    @TempDir
    private Path folder;

    private SmallRecording recording;

    @BeforeEach
    void twoJobs() {
        recording = new SmallRecording(folder).conf(ONE_NODE).job("7", 1, 10).job("8", 1, 10);
    }

    /** Starts by milliseconds after eight, nodes and loop, in the order of names. */
    private static List<String> starts(TwinFolder files, List<PerCycle.HeldBack> heldBack) {
        Map<String, FreeRun.Run> runs =
                new TreeMap<>(new FreeRun(files, new RecordedTimes(files, heldBack), null, begun -> {}).run());
        List<String> starts = new ArrayList<>();
        runs.forEach((job, run) -> starts.add("%s at %d on %s%s"
                .formatted(
                        job,
                        run.startMillis() - LogLines.ZERO,
                        String.join(",", run.nodes()),
                        run.backfilled() ? " by backfill" : "")));
        return starts;
    }

    private List<String> starts(String... log) throws IOException {
        return starts(recording.folder(log), List.of());
    }

    /** Job 7 runs from 1000 to 10000 in the log; here too, and its node is clean within 50 ms, say 25. */
    @ParameterizedTest
    @CsvSource({"10024, 10050", "10025, 10025"})
    void a_job_starts_in_the_first_cycle_in_which_its_node_is_clean(long early, long start) throws IOException {
        assertThat(starts(
                        "100 submit 7 30",
                        "200 submit 8 20",
                        "1000 main",
                        "1001 start 7 n1",
                        "10000 end 7",
                        early + " full",
                        "10050 main",
                        "10051 start 8 n1",
                        "20000 end 8"))
                .containsExactly("7 at 1000 on n1", "8 at %d on n1".formatted(start));
    }

    @Test
    void what_a_cycle_of_backfill_starts_is_backfilled_and_says_its_last_plan() throws IOException {
        TwinFolder files = recording.folder(
                "100 submit 7 30",
                "200 submit 8 20",
                "1000 main",
                "1001 start 7 n1",
                "2000 backfill",
                "5000 backfill",
                "10000 end 7",
                "20000 backfill",
                "20001 filled 8 n1");
        List<Integer> begun = new ArrayList<>();
        Map<String, FreeRun.Run> runs = new FreeRun(files, new RecordedTimes(files, List.of()), null, begun::add).run();
        FreeRun.Run first = Objects.requireNonNull(runs.get("7"));
        FreeRun.Run second = Objects.requireNonNull(runs.get("8"));

        assertThat(second.backfilled()).isTrue();
        assertThat(second.startMillis() - LogLines.ZERO).isEqualTo(20_000);
        assertThat(second.submitMillis()).isEqualTo(LogLines.ZERO);
        assertThat(second.planned()).as("in the cycle at 5 s for 601 s").isEqualTo(new FreeRun.Plan(596, 1));
        assertThat(second.waited()).isEqualTo("planned before for 596 s later, on 1 node");
        assertThat(first.backfilled()).isFalse();
        assertThat(first.planned()).isNull();
        assertThat(first.waited()).isEqualTo("at its first try");
        assertThat(begun).containsExactly(1, 2);
    }

    /** A job that the scheduler killed leaves its node to its epilog, of 250 ms where the log tells none. */
    @ParameterizedTest
    @CsvSource({"5249, 9000", "5250, 5250"})
    void the_node_of_a_killed_job_is_clean_after_its_epilog(long early, long start) throws IOException {
        assertThat(starts(
                        "100 submit 7 30",
                        "200 submit 8 20",
                        "1000 main",
                        "1001 start 7 n1",
                        "5000 killed 7",
                        early + " full",
                        "9000 main",
                        "9001 start 8 n1"))
                .containsExactly("7 at 1000 on n1", "8 at %d on n1".formatted(start));
    }

    /** It starts two seconds later here than in the log, whose first line of a cycle is after its start. */
    @ParameterizedTest
    @CsvSource({"5249, 9000", "5250, 5250"})
    void a_job_that_is_killed_ends_before_its_time(long early, long start) throws IOException {
        assertThat(starts(
                        "100 submit 7 30",
                        "200 submit 8 20",
                        "1001 start 7 n1",
                        "3000 main",
                        "5000 killed 7",
                        early + " full",
                        "9000 main",
                        "9001 start 8 n1"))
                .containsExactly("7 at 3000 on n1", "8 at %d on n1".formatted(start));
    }

    @Test
    void a_job_that_is_killed_while_it_waits_never_starts() throws IOException {
        assertThat(starts(
                        "100 submit 7 30",
                        "200 submit 8 20",
                        "1000 main",
                        "1001 start 7 n1",
                        "5000 killed 8",
                        "6000 end 7",
                        "9000 main"))
                .containsExactly("7 at 1000 on n1");
    }

    @Test
    void all_tasks_of_an_array_are_killed_at_once() throws IOException {
        recording.job("51_[1-3]", 1, 10);

        assertThat(starts(
                        "100 submit 51 30",
                        "200 submit 8 20",
                        "1000 main",
                        "1001 start 51_1 n1",
                        "5000 killed 51_*",
                        "9000 main",
                        "9001 start 8 n1"))
                .containsExactly("51_1 at 1000 on n1", "8 at 9000 on n1");
    }

    @Test
    void a_drained_node_starts_nothing_until_it_is_back() throws IOException {
        assertThat(starts("50 drain n1", "60 drain n77", "100 submit 7 30", "1000 main", "2000 resume n1", "3000 main"))
                .containsExactly("7 at 3000 on n1");
    }

    @Test
    void a_held_job_starts_when_it_is_released() throws IOException {
        assertThat(starts(
                        "100 submit 7 30",
                        "200 submit 8 20",
                        "300 hold 7",
                        "1000 main",
                        "1001 start 8 n1",
                        "5000 release 7",
                        "6000 end 8",
                        "7000 main"))
                .containsExactly("7 at 7000 on n1", "8 at 1000 on n1");
    }

    /** From 300 s to 900 s for others: a job of ten minutes may not begin before, and begins after. */
    @Test
    void a_reservation_is_kept() throws IOException {
        assertThat(starts("50 reserve 300 900", "100 submit 7 30", "1000 main", "899000 main", "900000 main"))
                .containsExactly("7 at 900000 on n1");
    }

    /** Job 8 needs job 7 to have ended well. */
    @ParameterizedTest
    @CsvSource({"end, 9000", "timeout, -1", "killed, -1"})
    void a_job_starts_when_the_job_that_it_needs_has_ended_well(String end, long start) throws IOException {
        recording
                .file(
                        "trace.csv",
                        "idx,gpus,nodes,limit_min,after,array,reservation,extra,user,account,qos,partition",
                        "1,8,1,10,,,,,u,a,normal,",
                        "2,8,1,10,1,,,,u,a,normal,")
                .file("submitted.csv", "idx,jobid", "1,7", "2,8");

        List<String> starts = starts(
                "100 submit 7 20",
                "200 submit 8 30",
                "1000 main",
                "1001 start 7 n1",
                "5000 %s 7".formatted(end),
                "9000 main");

        assertThat(starts)
                .isEqualTo(start < 0 ? List.of("7 at 1000 on n1") : List.of("7 at 1000 on n1", "8 at 9000 on n1"));
    }

    /**
     * Job 8 has a QOS before which job 7 gives way: the nodes are clean 300 ms later, as in the log, and job 7 runs its
     * whole time again two minutes later.
     */
    @ParameterizedTest
    @CsvSource({"5299, 8000", "5300, 5300"})
    void a_job_gives_way_and_runs_again(long early, long start) throws IOException {
        recording = new SmallRecording(folder)
                .conf("PreemptType=preempt/qos\nPreemptMode=REQUEUE\n" + ONE_NODE)
                .file("qos.txt", "Name|Priority|Preempt|PreemptMode", "low|0||requeue", "high|9|low|cluster")
                .row("7|u|a||low|PENDING|2026-03-02T08:00:00|Unknown|Unknown|10:00|cpu=8,gres/gpu=8|1||")
                .row("8|u|a||high|PENDING|2026-03-02T08:00:00|Unknown|Unknown|10:00|cpu=8,gres/gpu=8|1||");

        assertThat(starts(
                        "100 submit 7 30",
                        "1000 main",
                        "1001 start 7 n1",
                        "4000 submit 8 20",
                        "5000 main",
                        "5001 preempted 7",
                        "5301 cleaned 7",
                        early + " full",
                        "8000 main",
                        "8001 start 8 n1",
                        "10000 end 8",
                        "125000 main",
                        "126000 main",
                        "127000 main",
                        "127001 start 7 n1",
                        "190000 end 7"))
                .containsExactly("7 at 126000 on n1", "8 at %d on n1".formatted(start));
    }

    /**
     * A job whose limit its partition never allows starts not, and jobs that wait for cycles that never come are given
     * up.
     */
    @Test
    void a_run_ends_when_nothing_happens_any_more() throws IOException {
        recording.job("9", 1, 90);
        TwinFolder files = recording.folder("100 submit 9 40", "150 submit 7 30", "200 submit 8 20", "1000 main");

        assertThat(FreeRun.neverStarting(files)).isEqualTo(Map.of(9L, "PartitionTimeLimit (partition p)"));
        assertThat(starts(files, List.of())).containsExactly("7 at 1000 on n1");
    }

    /** It was started under another configuration. */
    @Test
    void a_job_that_the_log_starts_is_none_that_never_starts() throws IOException {
        recording.job("9_2", 1, 90);

        assertThat(FreeRun.neverStarting(recording.folder("100 submit 9 40", "1000 main", "1001 start 9_2 n1")))
                .isEmpty();
    }
}
