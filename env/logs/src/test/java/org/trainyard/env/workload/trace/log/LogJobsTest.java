package org.trainyard.env.workload.trace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogClock;
import org.trainyard.env.workload.log.LogEnd;
import org.trainyard.env.workload.log.LogNotes;

/** Rows of a log become jobs; times in seconds. */
class LogJobsTest {
    private static final long SECOND = 1_000_000_000L;

    private final LogJobs log = new LogJobs(new LogNotes(new LogClock(null)), null, false);

    private static LogEntry run(String id, long submit, long start, long end, int gpus) {
        return new LogEntry(id)
                .submitted(submit * SECOND)
                .ran(start * SECOND, end * SECOND)
                .gpus(gpus, 1000);
    }

    private static List<String> jobs(LogJobs log, LogEntry... runs) {
        for (LogEntry run : runs) {
            log.take(run);
        }
        List<String> jobs = new ArrayList<>();
        log.finish(job -> jobs.add("%s submit %d start %d end %d ran %d gpus %d runs %d gaps %s"
                .formatted(
                        job.id(),
                        job.submitNanos() / SECOND,
                        job.startNanos() / SECOND,
                        job.endNanos() / SECOND,
                        job.ranNanos() / SECOND,
                        job.gpus(),
                        job.runs(),
                        job.gaps().gaps().stream()
                                .map(gap -> gap.fromNanos() / SECOND + "-" + gap.untilNanos() / SECOND)
                                .toList())));
        return jobs;
    }

    /** It ran from 10 s to 20 s and from 30 s to 50 s: gaps are after its first start. */
    @ParameterizedTest
    @CsvSource({"0, 0, 2", "0, 3, 4", "3, 0, 2", "0, 1, 2"})
    void a_job_goes_on_after_a_run_that_was_requeued(int before, int restarts, int runs) {
        assertThat(jobs(
                        log,
                        run("1", 5, 30, 50, 4).restarted(restarts),
                        run("1", 0, 10, 20, 4).resumable(true).restarted(before)))
                .containsExactly("1 submit 0 start 10 end 50 ran 30 gpus 4 runs %d gaps [10-20]".formatted(runs));
    }

    @Test
    void three_runs_have_two_gaps_and_the_next_may_begin_at_once() {
        assertThat(jobs(
                        log,
                        run("1", 0, 0, 10, 1).resumable(true),
                        run("1", 0, 15, 20, 2).resumable(true),
                        run("1", 0, 40, 50, 1).resumable(true),
                        run("1", 0, 50, 60, 1)))
                .containsExactly("1 submit 0 start 0 end 60 ran 35 gpus 2 runs 4 gaps [10-15, 20-40]");
    }

    @Test
    void an_id_that_is_used_again_is_another_job() {
        assertThat(jobs(
                        log,
                        run("1", 0, 10, 20, 4),
                        run("1", 25, 30, 50, 2),
                        run("2", 0, 0, 10, 1).resumable(true).by("ann", null, null),
                        run("2", 0, 10, 20, 1).by("bob", null, null)))
                .containsExactly(
                        "1 submit 0 start 10 end 20 ran 10 gpus 4 runs 1 gaps []",
                        "1#2 submit 25 start 30 end 50 ran 20 gpus 2 runs 1 gaps []",
                        "2 submit 0 start 0 end 10 ran 10 gpus 1 runs 1 gaps []",
                        "2#2 submit 0 start 10 end 20 ran 10 gpus 1 runs 1 gaps []");
    }

    /** Two pods overlap, the third begins at the end of the last: it is another job. */
    @Test
    void parts_of_a_gang_hold_their_gpus_together() {
        assertThat(jobs(
                        log,
                        run("g", 0, 0, 100, 2).partOf("a"),
                        run("g", 1, 10, 110, 3).partOf("b"),
                        run("g", 0, 110, 120, 8).partOf("c")))
                .containsExactly(
                        "g submit 0 start 0 end 110 ran 110 gpus 5 runs 1 gaps []",
                        "g#2 submit 0 start 110 end 120 ran 10 gpus 8 runs 1 gaps []");
    }

    @Test
    void a_row_that_is_there_twice_counts_once_and_one_without_a_length_is_left_out() {
        assertThat(jobs(log, run("1", 0, 10, 20, 4), run("1", 0, 10, 20, 4), run("2", 0, 9, 9, 4)))
                .containsExactly("1 submit 0 start 10 end 20 ran 10 gpus 4 runs 1 gaps []");
        assertThat(log.leftOut()).containsExactly(new LeftOut("that ended in the second of their start", 1, 0));
    }

    private static LogEntry paused(LogEntry run, long seconds) {
        assertThat(run.suspended(seconds * SECOND)).isTrue();
        return run;
    }

    /** Runs one after the other stand still each for its own time, parts of a gang together. */
    @Test
    void a_suspended_job_does_not_run() {
        assertThat(jobs(
                        log,
                        paused(run("1", 0, 0, 100, 1), 30),
                        paused(run("2", 0, 0, 100, 1).resumable(true), 30),
                        paused(run("2", 0, 100, 200, 1), 20),
                        paused(run("3", 0, 0, 100, 1).partOf("a"), 30),
                        paused(run("3", 0, 0, 100, 1).partOf("b"), 20)))
                .extracting(job -> job.replaceAll("submit.*ran (\\d+) .*", "$1"))
                .containsExactly("1 70", "2 150", "3 70");
    }

    @Test
    void the_last_run_tells_how_it_ended_and_the_first_who_it_was() {
        HostShare share = new HostShare(4000, 100);
        LogEntry first = run("1", 0, 10, 20, 4)
                .resumable(true)
                .ended("NODE_FAIL", "1:0", "x")
                .billed(7)
                .in("vc")
                .on("n1")
                .host(share)
                .trains("bert");
        LogEntry last = run("1", 0, 30, 50, 4)
                .ended("COMPLETED", "0:0", "y")
                .billed(9)
                .in("other")
                .on("n2")
                .host(new HostShare(2000, 300));
        log.take(first);
        log.take(last);
        List<LogJob> made = new ArrayList<>();
        log.finish(made::add);

        LogJob job = made.get(0);
        assertThat(List.of(
                        String.valueOf(job.state()),
                        String.valueOf(job.exitCode()),
                        String.valueOf(job.reason()),
                        String.valueOf(job.virtualCluster()),
                        String.valueOf(job.nodeList()),
                        String.valueOf(job.model())))
                .containsExactly("COMPLETED", "0:0", "y", "vc", "n1", "bert");
        assertThat(job.billed()).isEqualTo(9);
        assertThat(job.host()).as("the most of each").isEqualTo(new HostShare(4000, 300));
        TraceJob traced = job.traced();
        assertThat(traced.durationNanos()).isEqualTo(30 * SECOND);
        assertThat(Objects.requireNonNull(traced.past()).facts().restarts()).isEqualTo(1);
    }

    /** Half a GPU for two hours, four for 30 min by their length, and two since 1 h in a log that ends at 3 h. */
    @Test
    void gpu_hours_of_jobs_left_out_count_parts_and_open_ones() {
        LogEntry half = run("1", 0, 0, 7200, 1).gpus(1, 500);
        log.leaveOut("half", half);
        log.leaveOut(
                "lasted", new LogEntry("2").submitted(0).lasted(1800 * SECOND).gpus(4, 1000));
        LogEntry open = new LogEntry("3").submitted(0).gpus(2, 1000);
        open.startNanos = 3600 * SECOND;
        log.leaveOut("open", open);
        log.leaveOut("none");
        log.leaveOut("none");
        jobs(log, run("4", 0, 0, 10_800, 1));

        assertThat(log.leftOut()).hasSize(4);
        assertHours("half", 1, 1);
        assertHours("lasted", 1, 2);
        assertHours("open", 1, 4);
        assertHours("none", 2, 0);
    }

    private void assertHours(String reason, long jobs, double hours) {
        LeftOut found = log.leftOut().stream()
                .filter(one -> one.reason().equals(reason))
                .findFirst()
                .orElseThrow();
        assertThat(found.jobs()).isEqualTo(jobs);
        assertThat(found.gpuHours()).isCloseTo(hours, within(1e-9));
    }

    /** Submitted at 0 s and at 3,600 s, in a log that ends at 14,400 s or at 4,500 s: 3.5 h and 45 min on average. */
    @ParameterizedTest
    @CsvSource({
        "14400, 0, '3 GPUs, 4 h so far'",
        "4500, 0, '3 GPUs, 45 min so far'",
        "14400, 7200, '3 GPUs, up to 5 GPU-hours by their limits, 4 h so far'"
    })
    void jobs_that_wait_at_the_end_have_waited_so_long(long end, long limit, String says) {
        SubmissionTerms terms =
                SubmissionTerms.NONE.but().limitNanos(limit * SECOND).build();
        log.queued(new LogEntry("1").submitted(0).gpus(2, 1000).terms(terms));
        log.queued(new LogEntry("2").submitted(3600 * SECOND).gpus(1, 500).terms(terms));
        log.queued(new LogEntry("3").submitted(0).gpus(0, 1000));
        jobs(log, run("4", 0, 0, end, 1));

        assertThat(log.leftOut())
                .extracting(one -> "%d %s".formatted(one.jobs(), one.reason()))
                .containsExactly(
                        "2 %s (%s on average), so the true mean wait is higher".formatted(LeftOut.WAITING, says),
                        "1 that never ran");
    }

    /**
     * Of those open at the end one runs since 50 s, one waits; the log ends at 90 s, or at 95 s as a running job says.
     */
    @ParameterizedTest
    @CsvSource({"0, 90", "95, 95", "80, 90"})
    void jobs_that_are_open_at_the_end_are_kept_on_demand(long reached, long end) {
        LogJobs open = new LogJobs(new LogNotes(new LogClock(null)), null, true);
        LogEntry runs = new LogEntry("runs").submitted(20 * SECOND).gpus(2, 1000);
        runs.startNanos = 50 * SECOND;
        open.stillRan("still ran", runs);
        open.waited(new LogEntry("waits").submitted(60 * SECOND).gpus(4, 1000));
        open.cancelled(7 * SECOND);
        open.cancelled(0);
        open.reaches(reached * SECOND);
        jobs(open, run("1", 0, 0, 90, 1));
        LogEnd found = open.end();

        assertThat(found.nanos()).isEqualTo(end * SECOND);
        assertThat(found.cancelledNanos()).containsExactly(7 * SECOND);
        assertThat(found.open())
                .extracting(job -> "%s %d %d %d %d"
                        .formatted(
                                job.id(),
                                job.submitNanos(),
                                job.gpus(),
                                start(job),
                                Objects.requireNonNull(job.past()).endNanos()))
                .containsExactly(
                        "runs %d 2 %d %d".formatted(20 * SECOND, 50 * SECOND, end * SECOND + 1),
                        "waits %d 4 %d %d".formatted(60 * SECOND, end * SECOND + 1, end * SECOND + 2));
        assertThat(open.leftOut()).isEmpty();
    }

    private static long start(TraceJob job) {
        return Objects.requireNonNull(job.past()).startNanos();
    }

    /** A run from 10 s to 110 s that ran 100 s, an hour more or less by its clock, or less because it stood still. */
    @ParameterizedTest
    @CsvSource({"100, 110, 0", "3700, 3710, 0", "70, 110, 30", "0, 110, 0", "200, 110, 0"})
    void elapsed_time_tells_of_clocks_and_of_suspensions(long elapsed, long end, long paused) {
        LogEntry run = run("1", 0, 10, 110, 1);
        run.elapsed(elapsed * SECOND);
        assertThat(run.endNanos).isEqualTo(end * SECOND);
        assertThat(run.pausedNanos).isEqualTo(paused * SECOND);
    }

    @ParameterizedTest
    @CsvSource({"5, 5, 5", "10, 10, 10", "11, 0, 0", "0, 0, 0"})
    void a_job_waits_from_when_it_was_eligible(long eligible, long submit, long held) {
        LogEntry run = run("1", 0, 10, 110, 1).eligible(eligible * SECOND);
        assertThat(run.submitNanos).isEqualTo(submit * SECOND);
        assertThat(run.heldNanos).isEqualTo(held * SECOND);
        assertThat(run.isHeld()).isEqualTo(held > 0);
    }

    @ParameterizedTest
    @CsvSource({"CANCELLED by 1000, CANCELLED", " completed+ , COMPLETED", "FAILED, FAILED", "'',"})
    void a_state_is_its_first_word(String state, @Nullable String word) {
        assertThat(LogEntry.stateWord(state)).isEqualTo(word == null ? "" : word);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "9, 0", "10, -1", "14, -1", "15, 15", "19, 15", "20, -1", "40, 40", "999, 40"})
    void the_run_that_goes_on_is_that_after_the_last_gap(long at, long start) {
        RunGaps gaps = new RunGaps(List.of(new RunGaps.Gap(10, 15), new RunGaps.Gap(20, 40)));
        assertThat(gaps.runAt(at)).isEqualTo(start);
    }
}
