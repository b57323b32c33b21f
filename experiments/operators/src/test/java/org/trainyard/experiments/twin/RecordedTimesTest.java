package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.Segments;

/** Inputs of a free run from an accounting without a controller's log; times of a morning, in UTC. */
class RecordedTimesTest {
    private static final long EIGHT = Instant.parse("2026-03-02T08:00:00Z").toEpochMilli();
    private static final String HEADER = "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|NodeList";

    @TempDir
    private Path folder;

    private static String row(String id, String state, String start, String end, String limit) {
        return "%s|u|2026-03-02T08:00:00|%s|%s|%s|%s|cpu=8,gres/gpu=8|1|%s"
                .formatted(
                        id,
                        start.equals("-") ? "Unknown" : "2026-03-02T" + start,
                        end.equals("-") ? "Unknown" : "2026-03-02T" + end,
                        state,
                        limit,
                        start.equals("-") ? "" : "n1");
    }

    private RecordedTimes times(String... rows) throws IOException {
        Files.writeString(
                folder.resolve("slurm.conf"),
                "NodeName=n1 CPUs=8 Gres=gpu:8\nPartitionName=p Nodes=n1 Default=YES MaxTime=UNLIMITED\n");
        List<String> lines = new ArrayList<>(List.of(HEADER));
        lines.addAll(List.of(rows));
        Files.write(folder.resolve("sacct.txt"), lines);
        return new RecordedTimes(TwinFolder.read(folder), List.of());
    }

    /** Ten minutes, five, and then one to the end: the run that ended counts, or else the longest. */
    @ParameterizedTest
    @CsvSource({"COMPLETED, 60", "TIMEOUT, 60", "PREEMPTED, 600", "NODE_FAIL, 600"})
    void a_job_runs_as_long_as_its_run_that_ended_or_its_longest(String last, long seconds) throws IOException {
        RecordedTimes times = times(
                row("7", "PREEMPTED", "08:00:10", "08:10:10", "20:00"),
                row("7", "REQUEUED", "08:20:00", "08:25:00", "20:00"),
                row("7", last, "08:30:00", "08:31:00", "20:00"),
                row("8", "COMPLETED", "08:25:00", "08:26:00", "20:00"));

        assertThat(times.runMillis("7")).isEqualTo(seconds * 1000);
        assertThat(Objects.requireNonNull(times.last().get("7")).startMillis() - EIGHT)
                .isEqualTo(1800 * 1000);
        // A day after the last end.
        assertThat(times.latestMillis() - EIGHT).isEqualTo(1860 * 1000 + 86_400_000);
    }

    /** Five minutes, ten and one, each requeued; without an end the longest counts. */
    @ParameterizedTest
    @CsvSource({"PREEMPTED, 600", "COMPLETED, 60"})
    void of_several_requeued_runs_the_longest_counts(String last, long seconds) throws IOException {
        RecordedTimes times = times(
                row("7", "REQUEUED", "08:00:00", "08:05:00", "20:00"),
                row("7", "PREEMPTED", "08:10:00", "08:20:00", "20:00"),
                row("7", last, "08:30:00", "08:31:00", "20:00"));

        assertThat(times.runMillis("7")).isEqualTo(seconds * 1000);
    }

    @Test
    void a_job_that_never_ran_would_run_until_its_limit() throws IOException {
        RecordedTimes times = times(
                row("7", "COMPLETED", "08:00:00", "08:01:00", "20:00"),
                row("8", "CANCELLED by 1", "-", "08:05:00", "10:00"),
                row("9", "PENDING", "-", "-", "UNLIMITED"),
                row("10_2", "PENDING", "-", "-", "00:30:00"));

        assertThat(times.runMillis("8")).isEqualTo(600_000);
        assertThat(times.runMillis("9")).isEqualTo(60_000);
        assertThat(times.runMillis("10_3")).as("another task of the array").isEqualTo(1_800_000);
        assertThat(times.outside())
                .extracting(event -> "%d %s %s".formatted((event.millis() - EIGHT) / 1000, event.kind(), event.job()))
                .containsExactly("0 SUBMIT 7", "0 SUBMIT 8", "0 SUBMIT 9", "0 SUBMIT 10", "300 CANCELLED 8");
        assertThat(times.firstDecayMillis()).isEqualTo(EIGHT);
        assertThat(times.hasCycles()).isFalse();
        assertThat(times.cleaningMillis("7")).isEqualTo(LogReplay.COMPLETING_MILLIS);
        assertThat(times.victim("7", 3)).isEqualTo(new CleaningTimes.Victim(Map.of(), CleaningTimes.KILLED_MILLIS));
        assertThat(times.endedWell("7")).isTrue();
        assertThat(times.plan("7")).isEmpty();
    }

    private static RecordedJobs traced(String extra) {
        return RecordedJobs.of(
                List.of(
                        "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes",
                        "42|x|2026-03-02T08:00:00|Unknown|Unknown|PENDING|10:00|cpu=6,mem=4096M,gres/gpu:a100=2,license/m=3|2"),
                List.of(
                        "idx,user,account,qos,partition,nodes,gpus,limit_min,array,after,reservation,extra",
                        "2,bob,b,q,p,1,1,5,,,,",
                        "3,ann,acc,long,p,2,8,30,1-4%2,2,res," + extra,
                        "4,eve,b,q,p,1,1,5,,,,"),
                List.of("idx,jobid", "2,41", "3,42", "4,refused"),
                node -> 64);
    }

    /** Licences, CPUs and memory are those of the accounting, all else is what was submitted. */
    @Test
    void a_trace_says_what_the_accounting_does_not() {
        RecordedJobs jobs = traced("-pa+b --nice=7 --exclusive -Ch100 --segment=1 --mem=3 --consolidate-segments");
        TwinJob job = Objects.requireNonNull(jobs.jobs().get(42L));

        assertThat(jobs.jobs().keySet()).containsExactly(41L, 42L);
        assertThat(List.of(job.user(), job.account(), job.qos(), job.partition()))
                .containsExactly("ann", "acc", "long", "a,b");
        assertThat(List.of(job.nodes(), job.gpusPerNode(), job.cpusPerNode(), job.atOnce()))
                .containsExactly(2, 4, 3, 2);
        assertThat(job.limitSeconds()).isEqualTo(1800);
        assertThat(job.tasks()).containsExactly(1, 2, 3, 4);
        assertThat(job.after()).containsExactly(41L);
        assertThat(job.reservation()).isEqualTo("res");
        assertThat(job.licenses()).isEqualTo(Map.of("m", 3));
        assertThat(job.terms().nice()).isEqualTo(7);
        assertThat(job.terms().exclusive()).isTrue();
        assertThat(job.terms().features()).isEqualTo("h100");
        assertThat(job.terms().segments()).isEqualTo(new Segments(1, true));
        assertThat(job.terms().memoryMib()).as("of each node").isEqualTo(2048);
        assertThat(job.terms().gpuTypes()).containsExactly("a100");
        assertThat(jobs.unmodelled()).isEmpty();
        TwinJob before = Objects.requireNonNull(jobs.jobs().get(41L));
        assertThat(before.tasks()).isEmpty();
        assertThat(before.reservation()).isNull();
        assertThat(before.cpusPerNode()).isEqualTo(1);
        assertThat(before.limitSeconds()).isEqualTo(300);
        assertThat(before.partition()).isEqualTo("p");
    }

    @Test
    void segments_are_those_of_the_accounting_and_those_apart_are_counted() {
        RecordedJobs jobs = RecordedJobs.of(
                List.of(
                        "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|SegmentSize|SubmitLine",
                        "42|x|2026-03-02T08:00:00|Unknown|Unknown|PENDING|10:00|cpu=8|8|4|sbatch --spread-segments a.sh"),
                null,
                null,
                node -> 64);

        assertThat(Objects.requireNonNull(jobs.jobs().get(42L)).terms().segments())
                .isEqualTo(new Segments(4, false));
        assertThat(jobs.unmodelled())
                .isEqualTo(Map.of("has the option --spread-segments of sbatch: is replayed without", 1));
    }

    @ParameterizedTest
    @CsvSource({
        "--wrap=x, has the option --wrap of sbatch: is replayed without",
        "-C[a*2&b], asks for counts of features: any node suits it here",
        "dep=singleton, waits for others otherwise than by afterok: may start when it might"
    })
    void what_is_not_replayed_is_counted(String extra, String says) {
        assertThat(traced(extra).unmodelled()).isEqualTo(Map.of(says, 1));
    }

    /** Job 42 of the accounting asks for features, had its node alone, and became eligible 9 s after its submission. */
    @ParameterizedTest
    @CsvSource({"'', h100, true, 0", "--begin=now+9, h100, true, 9", "-Cib, ib, true, 0", "dep=singleton, h100, true, 9"
    })
    void what_a_trace_does_not_say_is_read_in_the_accounting(
            String extra, String features, boolean exclusive, long secondsLater) {
        RecordedJobs jobs = RecordedJobs.of(
                List.of(
                        "JobID|User|Submit|Eligible|Start|End|State|Timelimit|ReqTRES|AllocTRES|NNodes|NodeList|Constraints",
                        "42|x|2026-03-02T08:00:00|2026-03-02T08:00:09|2026-03-02T08:00:10|2026-03-02T08:00:20|COMPLETED|"
                                + "10:00|cpu=6|cpu=64|1|n1|h100"),
                List.of(
                        "idx,user,account,qos,partition,nodes,gpus,limit_min,array,after,reservation,extra",
                        "3,ann,acc,long,p,1,8,30,,,," + extra),
                List.of("idx,jobid", "3,42"),
                node -> 64);
        TwinJob job = Objects.requireNonNull(jobs.jobs().get(42L));

        assertThat(job.terms().features()).isEqualTo(features);
        assertThat(job.terms().exclusive()).isEqualTo(exclusive);
        assertThat(job.eligibleSecond() == 0 ? 0 : job.eligibleSecond() - job.submitSecond())
                .isEqualTo(secondsLater);
    }

    /**
     * Times of a log are exact; a job that it starts twice runs as its last start did, from the cycle of that start on.
     */
    @Test
    void a_log_says_runs_plans_and_submissions() throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .job("7", 1, 10)
                .job("51_[1-2]", 1, 10)
                .folder(
                        "1100 submit 7 30",
                        "2200 submit 51 20",
                        "3000 main",
                        "3004 start 7 n1",
                        "4000 preempted 7",
                        "4300 cleaned 7",
                        "5000 backfill",
                        "5001 plan 7 65 n2",
                        "6000 backfill",
                        "6003 filled 7 n2",
                        "7000 main",
                        "7002 start 51_2 n1",
                        "9000 timeout 7",
                        "9500 end 51_2");

        RecordedTimes times = new RecordedTimes(files, List.of());

        assertThat(times.runMillis("7")).isEqualTo(3000);
        assertThat(times.runMillis("51_2")).isEqualTo(2500);
        assertThat(times.runMillis("51_1")).as("by its limit").isEqualTo(600_000);
        assertThat(times.endedWell("7")).isFalse();
        assertThat(times.endedWell("51_2")).isTrue();
        assertThat(times.backfilled("7")).isTrue();
        assertThat(times.backfilled("51_2")).isFalse();
        assertThat(times.plan("7")).isEqualTo(", planned before for 60 s later, on 1 node");
        assertThat(times.hasCycles()).isTrue();
        assertThat(times.cycles())
                .extracting(LogEvent::millis)
                .containsExactly(EIGHT + 3000, EIGHT + 5000, EIGHT + 6000, EIGHT + 7000);
        assertThat(times.outside()).extracting(LogEvent::job).containsExactly("7", "51");
        assertThat(Objects.requireNonNull(times.last().get("7")))
                .isEqualTo(new TwinRun(
                        "7", EIGHT / 1000 + 4, EIGHT + 6003, EIGHT + 9003, List.of("n2"), false, false, true));
        assertThat(Objects.requireNonNull(times.last().get("51_2")))
                .isEqualTo(new TwinRun(
                        "51_2", EIGHT / 1000 + 2, EIGHT + 7002, EIGHT + 9502, List.of("n1"), false, false, true));
        assertThat(times.latestMillis()).isEqualTo(EIGHT + 9500 + 86_400_000);
    }

    /** A log that begins between a cycle and the start that it made: the job runs from its line on, not since 1970. */
    @Test
    void a_start_before_the_first_cycle_of_a_log_is_at_its_own_time() throws IOException {
        TwinFolder files = new SmallRecording(folder)
                .job("7", 1, 10)
                .folder("100 submit 7 30", "1001 start 7 n1", "2000 main", "5001 end 7");

        assertThat(new RecordedTimes(files, List.of()).runMillis("7")).isEqualTo(4000);
    }
}
