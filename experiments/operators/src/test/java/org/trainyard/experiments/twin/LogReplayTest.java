package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.SlurmJob;

/** The state after lines of a log written by hand; a cluster with CompleteWait tells whether it waits for an epilog. */
class LogReplayTest {
    @TempDir
    private Path folder;

    private SmallRecording recording;

    @BeforeEach
    void jobs() {
        recording = new SmallRecording(folder)
                .conf("CompleteWait=32\n" + SmallRecording.CONF)
                .job("7", 1, 10)
                .job("8", 2, 10)
                .job("9", 1, 10);
    }

    private LogReplay replay(String... log) throws IOException {
        TwinFolder files = recording.folder(log);
        ControllerLog events = Objects.requireNonNull(files.log());
        LogReplay replay = new LogReplay(files, events);
        events.events().forEach(replay::take);
        return replay;
    }

    private static SlurmJob job(LogReplay replay, String name) {
        return Objects.requireNonNull(replay.twin().job(name));
    }

    private static boolean isClean(LogReplay replay, long millis) {
        replay.cleanUntil(LogLines.ZERO + millis);
        return !replay.twin().state.waitsForCleaning();
    }

    @Test
    void a_started_job_runs_on_its_nodes_from_its_second_on() throws IOException {
        LogReplay replay = replay("100 submit 7 30", "2500 start 7 n2");
        SlurmJob job = job(replay, "7");

        assertThat(job.state()).isEqualTo(SlurmJob.State.RUNNING);
        assertThat(job.nodesHeld()).containsExactly(1);
        assertThat(job.startSecond() - LogLines.ZERO / 1000).isEqualTo(2);
        assertThat(job.priority()).isEqualTo(30);
        assertThat(replay.twin().state.freeGpus()).isEqualTo(8);
    }

    /** 30 ms after the end, and not before. */
    @ParameterizedTest
    @CsvSource({"end, 5029, false", "end, 5030, true", "timeout, 5029, false", "killed, 5030, true"})
    void the_nodes_of_an_ended_job_are_completing_for_a_while(String end, long millis, boolean clean)
            throws IOException {
        LogReplay replay = replay("100 submit 7 30", "1000 start 7 n2", "5000 %s 7".formatted(end));

        assertThat(job(replay, "7").state()).isEqualTo(SlurmJob.State.ENDED);
        assertThat(replay.twin().state.freeGpus()).isEqualTo(16);
        assertThat(isClean(replay, millis)).isEqualTo(clean);
    }

    /** It held no node, so that none is cleaned. */
    @Test
    void a_job_that_is_killed_while_it_waits_has_no_nodes_to_clean() throws IOException {
        LogReplay replay = replay("100 submit 7 30", "5000 killed 7");

        assertThat(job(replay, "7").state()).isEqualTo(SlurmJob.State.ENDED);
        assertThat(isClean(replay, 5000)).isTrue();
    }

    /** Node n1 6 ms before the next start on it, that a cycle some milliseconds before made; n2 has no later start. */
    @ParameterizedTest
    @CsvSource({"5993, false", "5994, true"})
    void a_node_of_a_job_that_gave_way_is_clean_before_the_next_start_on_it(long millis, boolean isFirstClean)
            throws IOException {
        TwinFolder files = recording.folder(
                "100 submit 8 30",
                "200 submit 7 30",
                "300 submit 9 30",
                "1000 start 8 n[1-2]",
                "5000 preempted 8",
                "6000 start 7 n1",
                "7000 start 9 n1");
        ControllerLog events = Objects.requireNonNull(files.log());
        LogReplay replay = new LogReplay(files, events);
        events.events().subList(0, 5).forEach(replay::take);
        SlurmJob job = job(replay, "8");

        assertThat(job.state()).isEqualTo(SlurmJob.State.PENDING);
        assertThat(job.beginSecond() - LogLines.ZERO / 1000).isEqualTo(5 + 121);
        assertThat(isClean(replay, millis)).as("n2 is not").isFalse();
        BitSet second = new BitSet();
        second.set(1);
        replay.twin().state.completing(second, false);
        assertThat(isClean(replay, millis)).isEqualTo(isFirstClean);
    }

    /** From then on its delay counts. */
    @Test
    void the_nodes_of_a_job_that_gave_way_are_clean_when_it_is_requeued() throws IOException {
        LogReplay replay = replay("100 submit 8 30", "1000 start 8 n[1-2]", "5000 preempted 8", "9000 cleaned 8");

        assertThat(replay.twin().state.waitsForCleaning()).isFalse();
        assertThat(job(replay, "8").beginSecond() - LogLines.ZERO / 1000).isEqualTo(9 + 121);
    }

    @Test
    void other_nodes_stay_unclean_when_one_job_is_requeued() throws IOException {
        recording.job("10", 1, 10);
        LogReplay replay = replay(
                "100 submit 7 30",
                "200 submit 9 30",
                "1000 start 7 n1",
                "1000 start 9 n2",
                "5000 preempted 7",
                "5000 preempted 9",
                "9000 cleaned 7");

        assertThat(replay.twin().state.waitsForCleaning()).isTrue();
        assertThat(job(replay, "9").beginSecond() - LogLines.ZERO / 1000).isEqualTo(5 + 121);
    }

    /** The main scheduler asks for the queue that is runnable: drained nodes and held jobs are not in it. */
    @Test
    void drained_nodes_and_held_jobs_start_nothing_until_they_are_taken_back() throws IOException {
        TwinFolder files = recording.folder(
                "100 submit 7 30",
                "1000 drain n1",
                "2000 main",
                "2001 start 7 n2",
                "3000 submit 9 30",
                "4000 main",
                "5000 resume n1",
                "5100 hold 9",
                "6000 main",
                "7000 release 9",
                "8000 main",
                "8001 start 9 n1");

        PerCycle.Counts counts = PerCycle.of(files, Objects.requireNonNull(files.log()));

        assertThat(counts.divergences).isEmpty();
        assertThat(counts.starts.share()).isEqualTo(1);
        assertThat(counts.cycles).isEqualTo(2);
    }

    @Test
    void a_reservation_keeps_its_nodes_for_its_users() throws IOException {
        TwinFolder files = recording.folder(
                "50 reserve 300 900", "100 submit 7 30", "200 submit 9 20", "1000 main", "1001 start 7 n2");

        PerCycle.Counts counts = PerCycle.of(files, Objects.requireNonNull(files.log()));

        assertThat(counts.divergences).isEmpty();
        assertThat(counts.starts.share()).isEqualTo(1);
    }

    /** Partition q comes first, p counts in it as the line says it; a partition without a word has the one of all. */
    @Test
    void a_job_in_several_partitions_has_a_priority_in_each() throws IOException {
        recording
                .conf(SmallRecording.CONF
                        + "PartitionName=q Nodes=n1 MaxTime=60\nPartitionName=qq Nodes=n1 MaxTime=60\n")
                .row("11|u|a|q,p,qq|normal|PENDING|2026-03-02T08:00:00|Unknown|Unknown|10:00|cpu=8,gres/gpu=8|1||");

        LogReplay before = replay("100 submit 11 30");
        LogReplay replay = replay(
                "90 priority/multifactor: _get_priority_internal: PRIO: JobId=11 multi-partition priorities: qq=3, q=40",
                "100 submit 11 30");

        assertThat(job(before, "11").priority()).isEqualTo(30);
        assertThat(job(replay, "11").priority()).isEqualTo(40);
        assertThat(job(replay, "11").request().partitions().stream().map(each -> each.name()))
                .isEqualTo(List.of("q", "p", "qq"));
    }

    @Test
    void priorities_of_the_log_are_those_of_its_jobs() throws IOException {
        LogReplay replay = replay(
                "100 submit 7 30",
                "500 priority/multifactor: _get_priority_internal: Job 7 priority: 2.0 + 0 = 1234.00");

        assertThat(job(replay, "7").priority()).isEqualTo(1234);
    }

    @Test
    void lines_of_unknown_jobs_and_nodes_change_nothing() throws IOException {
        LogReplay replay = replay(
                "100 submit 7 30",
                "200 submit 99 30",
                "300 start 99 n1",
                "400 preempted 99",
                "500 cleaned 99",
                "600 end 99",
                "700 drain n99",
                "800 start 7 n1",
                "900 start 7 n2");

        assertThat(replay.twin().job("99")).isNull();
        assertThat(job(replay, "7").nodesHeld())
                .as("a job that runs is not started")
                .containsExactly(0);
        assertThat(replay.twin().state.running()).hasSize(1);
        assertThat(replay.twin().state.pending()).isEmpty();
    }
}
