package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trainyard.experiments.twin.LogLines.ZERO;
import static org.trainyard.experiments.twin.LogLines.lines;
import static org.trainyard.experiments.twin.LogLines.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;

/** Lines of slurmctld, at milliseconds after 2026-03-02 08:00 UTC, and what they tell of nodes, starts and plans. */
class ControllerLogTest {
    private static ControllerLog log(String... events) {
        return ControllerLog.parse("slurmctld.log", lines(events));
    }

    /** Of a cluster of one node, with jobs 7 and 8 that both need all of it for ten minutes at most. */
    private static TwinFolder folder(Path folder, String... events) throws IOException {
        Files.writeString(folder.resolve("slurm.conf"), """
                SchedulerParameters=bf_resolution=1
                NodeName=n1 CPUs=8 Gres=gpu:8
                PartitionName=p Nodes=n1 Default=YES MaxTime=60
                """);
        String submitted = "2026-03-02T08:00:00";
        String row = "%s|u|%s|%s|Unknown|RUNNING|10:00|cpu=8,gres/gpu=8|1|%s";
        Files.write(
                folder.resolve("sacct.txt"),
                List.of(
                        "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|NodeList",
                        row.formatted("7", submitted, "2026-03-02T08:00:01", "n1"),
                        row.formatted("8", submitted, "Unknown", "")));
        List<String> lines = lines(
                "100 _slurm_rpc_submit_batch_job: JobId=7 InitPrio=9 usec=1",
                "200 _slurm_rpc_submit_batch_job: JobId=8 InitPrio=8 usec=1");
        lines.addAll(lines(events));
        Files.write(folder.resolve("slurmctld.log"), lines);
        return TwinFolder.read(folder);
    }

    private static String text(LogEvent event) {
        return "%d %s %s %d %d %s"
                .formatted(
                        event.millis() - ZERO,
                        event.kind(),
                        event.job(),
                        event.number(),
                        event.other(),
                        String.join(" ", event.names()));
    }

    /** Numbers of plans and reservations are seconds after eight here. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "_slurm_rpc_submit_batch_job: JobId=17 InitPrio=4294901 usec=312 | SUBMIT 17 4294901 0",
                "sched: Allocate JobId=51_2(53) NodeList=n[1-3] #CPUs=24 Partition=p | START 51_2 0 0 n1 n2 n3",
                "sched/backfill: _start_job: Started JobId=17 in p on n[2,4] | START 17 1 0 n2 n4",
                "_job_complete: JobId=17 done | END 17 0 0",
                "Time limit exhausted for JobId=51_2(53) | TIMEOUT 51_2 0 0",
                "preempted JobId=17 has been requeued to free resources | PREEMPTED 17 0 0",
                "preempted JobId=17 has been terminated | PREEMPTED 17 0 0",
                "Requeuing JobId=17 | CLEANED 17 0 0",
                "job_signal: 9 of pending JobId=51_* successful | CANCELLED 51_* 0 0",
                "job_signal: 9 of running JobId=17 successful 0x8004 | CANCELLED 17 0 0",
                "debug:  sched: Running job scheduler for default depth. | MAIN  0 0",
                "debug:  sched: Running job scheduler for full queue. | MAIN_FULL  0 0",
                "sched/backfill: _attempt_backfill: beginning | BACKFILL  0 0",
                "sched/backfill: _attempt_backfill: completed testing 3(3) jobs | BACKFILL_END  0 0",
                "sched/backfill: _attempt_backfill: no jobs to backfill | BACKFILL_END  0 0",
                "priority/multifactor: _get_priority_internal: Job 17 priority: 2.0 + 0 = 1234.00 | PRIORITY 17 1234 0",
                "priority/multifactor: _get_priority_internal: PRIO: JobId=17 multi-partition priorities: p=5, q=7"
                        + " | PRIORITIES 17 0 0 p=5 q=7",
                "priority/multifactor: _ft_debug:     root (root):  inf | DECAY  0 0",
                "update_node: node n3 state set to DRAINED | DRAIN n3 0 0",
                "update_node: node n3 state set to DOWN | DRAIN n3 0 0",
                "update_node: node n3 state set to IDLE | RESUME n3 0 0",
                "sched: _hold_job_rec: hold on JobId=17 by uid 0 | HOLD 17 0 0",
                "sched: _release_job_rec: release hold on JobId=17 by uid 0 | RELEASE 17 0 0"
            })
    void a_line_is_an_event(String line, String event) {
        ControllerLog log = ControllerLog.parse("slurmctld.log", List.of("[%s] %s".formatted(time(250), line)));
        assertThat(log.events().stream().map(one -> text(one).strip())).containsExactly("250 " + event);
    }

    @Test
    void plans_and_reservations_have_their_seconds_nodes_and_users() {
        ControllerLog log = log(
                "10 plan 9 35 n[1-2]",
                "20 sched: Created reservation=m users=ann,bob nodes=n1 cores=8 licenses=(null) start=%s end=%s MaxStartDelay=0"
                        .formatted(time(60_000).substring(0, 19), time(90_000).substring(0, 19)));
        LogEvent plan = log.events().get(0);
        LogEvent reservation = log.events().get(1);

        assertThat(plan.number() - ZERO / 1000).isEqualTo(35);
        assertThat(plan.names()).containsExactly("n1", "n2");
        assertThat(plan.second()).isEqualTo(ZERO / 1000);
        assertThat(reservation.number() - ZERO / 1000).isEqualTo(60);
        assertThat(reservation.other() - ZERO / 1000).isEqualTo(90);
        assertThat(reservation.names()).containsExactly("n1", "users=ann,bob");
        assertThat(ControllerLog.users(reservation)).containsExactly("ann", "bob");
        assertThat(log.hasMainCycles()).isFalse();
        assertThat(log.hasPriorities()).isFalse();
        assertThatThrownBy(() -> ControllerLog.parse("slurmctld.log", List.of("no line", "[2026] x")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurmctld.log");
    }

    /** In the middle of the second that the accounting says, where no line tells of it or of the whole array. */
    @Test
    void cancellations_of_the_accounting_are_taken_where_the_log_has_none() {
        ControllerLog log = log("1000 main", "5000 killed 1", "6000 killed 51_*", "8000 main");
        List<TwinRun> runs = new ArrayList<>();
        for (String job : List.of("1", "2", "51_3", "52_3", "3", "4")) {
            long end = job.equals("3") ? -1 : ZERO + 7000;
            runs.add(new TwinRun(job, 0, ZERO, end, List.of(), false, !job.equals("4"), false));
        }
        log.cancel(runs);

        assertThat(log.events().stream().map(event -> text(event).strip()))
                .containsExactly(
                        "1000 MAIN  0 0",
                        "5000 CANCELLED 1 0 0",
                        "6000 CANCELLED 51_* 0 0",
                        "7500 CANCELLED 2 0 0",
                        "7500 CANCELLED 52_3 0 0",
                        "8000 MAIN  0 0");
    }

    private static PerCycle.HeldBack held(long millis, String... nodes) {
        return new PerCycle.HeldBack(ZERO + millis, List.of(nodes));
    }

    /** Job 1 ends at 10 s; its node was not clean 30 ms later and clean 50 ms later: so are 40 and 50 ms alone. */
    @Test
    void nodes_are_clean_between_the_cycle_that_held_back_and_the_start_there() {
        CleaningTimes times = CleaningTimes.of(
                log("1000 main", "1005 start 1 n1", "10000 end 1", "10030 main", "10050 main", "10057 start 2 n1"),
                List.of(held(10_030, "n1", "n2")));

        assertThat(times.millis("1")).isEqualTo(45);
        assertThat(times.millis("other")).isEqualTo(45);
    }

    /**
     * 31 to 50 ms are those of the others: with those of job 3, 40 and 50 ms are contradicted least, then 50 ms alone,
     * both, 40 ms alone, and 30 to 50 ms; its own bounds prevail.
     */
    @ParameterizedTest
    @CsvSource({"20038, 20099, 45", "20044, 20099, 50", "20060, 20099, 61", "20020, 20044, 40", "20020, 20035, 35"})
    void a_bound_of_its_own_prevails(long heldBack, long start, long millis) {
        CleaningTimes times = CleaningTimes.of(
                log(
                        "1000 main",
                        "1001 start 1 n1",
                        "1002 start 5 n5",
                        "1003 start 6 n6",
                        "1004 start 3 n3",
                        "10000 end 1",
                        "10000 end 5",
                        "10000 end 6",
                        "10030 main",
                        "10030 full",
                        "10050 main",
                        "10051 start 2 n1",
                        "10051 start 8 n5",
                        "10051 start 9 n6",
                        "20000 end 3",
                        heldBack + " main",
                        start + " main",
                        start + 1 + " start 4 n3"),
                List.of(held(10_030, "n1"), held(heldBack, "n3")));

        assertThat(times.millis("3")).isEqualTo(millis);
    }

    /**
     * One node has its next job 50 ms later, the other 90 ms: all were clean after 50 ms, and 0 to 50 ms contradict
     * nothing.
     */
    @Test
    void the_first_start_on_a_node_bounds_the_cleaning_of_a_job() {
        CleaningTimes times = CleaningTimes.of(
                log(
                        "1000 main",
                        "1001 start 1 n[1-2]",
                        "10000 end 1",
                        "10050 main",
                        "10051 start 2 n1",
                        "10090 main",
                        "10091 start 3 n2"),
                List.of());

        assertThat(times.millis("1")).isEqualTo(25);
    }

    /** By the last job that ended on the nodes of a plan for the next second, and by no plan for a later one. */
    @ParameterizedTest
    @CsvSource({"21, 61", "22, 0"})
    void a_plan_for_the_next_second_shows_that_a_node_was_not_clean(long second, long least) {
        CleaningTimes times = CleaningTimes.of(
                log(
                        "1000 main",
                        "1001 start 1 n1",
                        "1002 start 2 n2",
                        "1003 start 3 n3",
                        "19990 end 1",
                        "20000 end 2",
                        "20000 end 3",
                        "20060 backfill",
                        "20065 plan 9 %d n[1-2]".formatted(second),
                        "20100 main",
                        "20101 start 4 n1"),
                List.of());

        // Without a bound the times that the fewest contradict are 0 to 100 ms, with one 70 to 100 ms.
        assertThat(times.millis("2")).isEqualTo(least == 0 ? 50 : 85);
        assertThat(times.millis("1")).isEqualTo(least == 0 ? 50 : 85);
    }

    /** Job 3 gives way on one of the planned nodes, so that the plan waits for it, or elsewhere. */
    @ParameterizedTest
    @CsvSource({"n1, 50", "n3, 85"})
    void a_plan_for_nodes_of_a_job_that_gives_way_shows_nothing_of_others(String node, long millis) {
        CleaningTimes times = CleaningTimes.of(
                log(
                        "1000 main",
                        "1001 start 3 " + node,
                        "1002 start 2 n2",
                        "19990 preempted 3",
                        "20000 end 2",
                        "20060 backfill",
                        "20065 plan 9 21 n[1-2]"),
                List.of());

        assertThat(times.millis("2")).isEqualTo(millis);
    }

    /** No node is cleaned for 400 ms. */
    @ParameterizedTest
    @CsvSource({"19660, 50", "19661, 400", "20059, 55"})
    void a_plan_waits_for_jobs_that_ended_in_the_last_moments(long end, long millis) {
        CleaningTimes times = CleaningTimes.of(
                log("1000 main", "1001 start 2 n2", end + " end 2", "20060 backfill", "20065 plan 9 21 n2"), List.of());

        assertThat(times.millis("2")).isEqualTo(millis);
    }

    @Test
    void a_node_that_starts_a_job_as_the_last_one_ends_was_clean_at_once() {
        CleaningTimes times = CleaningTimes.of(
                log("1000 main", "1001 start 1 n1", "10000 end 1", "10000 main", "10001 start 2 n1"), List.of());

        assertThat(times.millis("1")).isZero();
    }

    /** Job 9 is requeued 299 ms after it gave way: a run of the scheduler in the next millisecond is for its sake. */
    @ParameterizedTest
    @CsvSource({"10100, 299", "10101, 101"})
    void a_run_of_the_scheduler_after_a_requeue_is_no_epilog_of_a_killed_job(long main, long millis) {
        CleaningTimes times = CleaningTimes.of(
                log(
                        "1000 main",
                        "1001 start 1 n1",
                        "1002 start 9 n2",
                        "9800 preempted 9",
                        "10000 timeout 1",
                        "10099 cleaned 9",
                        main + " main"),
                List.of());

        assertThat(times.millis("1")).isEqualTo(millis);
    }

    @Test
    void a_log_with_priorities_and_main_cycles_says_that_it_has_them() {
        ControllerLog log =
                log("10 main", "20 priority/multifactor: _get_priority_internal: Job 17 priority: 2.0 + 0 = 1234.00");

        assertThat(log.hasMainCycles()).isTrue();
        assertThat(log.hasPriorities()).isTrue();
        assertThatThrownBy(() -> ControllerLog.parse(
                        "slurmctld.log", List.of("no line", "[2026-03-02T99:00:00.000] Requeuing JobId=17")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurmctld.log:2");
    }

    /** The run of the scheduler after an epilog, but neither of the same look nor a second later. */
    @ParameterizedTest
    @CsvSource({"30, 250", "31, 31", "1000, 1000", "1001, 250"})
    void nodes_of_a_killed_job_are_clean_when_the_scheduler_runs(long after, long millis) {
        CleaningTimes times = CleaningTimes.of(
                log("1000 main", "1001 start 1 n1", "10000 timeout 1", 10_000 + after + " main"), List.of());

        assertThat(times.millis("1")).isEqualTo(millis);
        assertThat(times.victim("7", 0)).isEqualTo(new CleaningTimes.Victim(Map.of(), millis));
    }

    /**
     * Job 3 gives way at 20 s and 30 s: n1 has its next job of the cycle at 101 ms, and all is clean at 300 ms and 500
     * ms.
     */
    @Test
    void nodes_of_a_job_that_gave_way_are_clean_one_by_one() {
        CleaningTimes times = CleaningTimes.of(
                log(
                        "1000 main",
                        "1001 start 3 n[1-2]",
                        "20000 preempted 3",
                        "20101 main",
                        "20102 start 4 n1",
                        "20300 cleaned 3",
                        "25000 main",
                        "25001 start 3 n2",
                        "30000 preempted 3",
                        "30500 cleaned 3",
                        "40000 killed 4",
                        "40400 main"),
                List.of());

        assertThat(times.victim("3", 0)).isEqualTo(new CleaningTimes.Victim(Map.of("n1", 100L), 300));
        assertThat(times.victim("3", 0).millis("n1")).isEqualTo(100);
        assertThat(times.victim("3", 0).millis("n2")).isEqualTo(300);
        assertThat(times.victim("3", 1)).isEqualTo(new CleaningTimes.Victim(Map.of(), 500));
        // The median of 300, 500 and the 400 of the killed job.
        assertThat(times.victim("3", 2)).isEqualTo(new CleaningTimes.Victim(Map.of(), 400));
        assertThat(times.millis("4")).isEqualTo(400);
    }

    /** The last start counts: a job that gave way and was started again by the main scheduler is none of backfill. */
    @ParameterizedTest
    @CsvSource({"filled, main, start, false", "start, backfill, filled, true"})
    void a_job_is_backfilled_when_its_last_start_was(
            String first, String cycle, String last, boolean backfilled, @TempDir Path folder) throws IOException {
        TwinFolder recorded = folder(
                folder,
                "1000 main",
                "1001 %s 7 n1".formatted(first),
                "2000 preempted 7",
                "2100 cleaned 7",
                "200000 " + cycle,
                "200001 %s 7 n1".formatted(last));

        assertThat(new RecordedTimes(recorded, List.of()).backfilled("7")).isEqualTo(backfilled);
    }

    /** Job 7 ends ten minutes after its start in the first second. */
    @ParameterizedTest
    @CsvSource({"599, 0", "600, 1", "601, 1", "602, 1", "603, 0"})
    void a_plan_is_in_time_within_a_second(long second, double share, @TempDir Path folder) throws IOException {
        TwinFolder recorded =
                folder(folder, "1000 main", "1001 start 7 n1", "5000 backfill", "5001 plan 8 %d n1".formatted(second));

        PerCycle.Counts counts = PerCycle.of(recorded, Objects.requireNonNull(recorded.log()));

        assertThat(counts.divergences).isEmpty();
        assertThat(counts.plansInTime.share()).isEqualTo(share);
    }

    @ParameterizedTest
    @CsvSource({"2000, 08:00:02.000", "2100, 08:00:02.100", "59999, 08:00:59.999"})
    void a_decision_that_differs_is_named_at_its_cycle_to_the_millisecond(
            long millis, String time, @TempDir Path folder) throws IOException {
        TwinFolder recorded = folder(folder, "%d main".formatted(millis), "%d start 8 n1".formatted(millis + 1));

        assertThat(PerCycle.of(recorded, Objects.requireNonNull(recorded.log())).divergences)
                .containsExactly(
                        time + " main: job 8, past start on [n1], twin nothing",
                        time + " main: job 7, past nothing, twin start on [n1]");
    }

    @Test
    void a_share_is_of_all_that_were_counted() {
        EqualShare share = new EqualShare("starts");
        assertThat(share.isEmpty()).isTrue();
        assertThat(share.share()).isNull();
        share.count(true);
        share.count(false);
        share.count(false);
        share.count(false);
        assertThat(share.isEmpty()).isFalse();
        assertThat(share.share()).isEqualTo(0.25);
    }

    /** Threads write within a second or so of each other. */
    @Test
    void a_log_in_whose_time_the_clock_was_put_back_is_refused_with_both_times() {
        assertThat(log("60000 main", "90000 main", "30000 submit 7 9").events()).hasSize(3);

        assertThatThrownBy(() -> log("60000 main", "90000 main", "29999 submit 7 9"))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "slurmctld.log:3: '2026-03-02T08:00:29.999' is not valid: expected a time not before 2026-03-02T08:01:30.000 in a line above, as where files are in order and no clock was put back");
    }
}
