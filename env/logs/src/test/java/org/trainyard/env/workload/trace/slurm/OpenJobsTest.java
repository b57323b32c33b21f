package org.trainyard.env.workload.trace.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogEnd;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;

/** Jobs of a log of Slurm that run or wait at its end. */
class OpenJobsTest {
    private static final Options OPEN =
            new Options(null, null, true, 1 << 20, bytes -> {}, null, null, 0, 0, false, true);

    @TempDir
    private Path folder;

    private Path log = Path.of("");

    @BeforeEach
    void write_a_log() throws IOException {
        log = Files.write(
                folder.resolve("sacct.txt"),
                List.of(
                        "JobID|User|State|Submit|Eligible|Start|End|Timelimit|AllocTRES|ReqTRES|NodeList|Reason",
                        row("1|u|COMPLETED", "08:00:00", "08:00:00", "09:00:00", 2, 2, "n1|None"),
                        row("2|u|RUNNING", "08:10:00", "08:30:00", "Unknown", 4, 4, "n[1-2]|None"),
                        row("3|v|PENDING", "08:20:00", "Unknown", "Unknown", 0, 8, "None assigned|Priority"),
                        row("4_[3-5,9%2]|v|PENDING", "08:25:00", "Unknown", "Unknown", 0, 1, "None assigned|Resources"),
                        row("5|v|PENDING", "08:25:00", "Unknown", "Unknown", 0, 1, "None assigned|JobHeldUser"),
                        row("6|u|PREEMPTED", "08:00:00", "08:00:00", "08:40:00", 1, 1, "n1|None"),
                        row("6|u|RUNNING", "08:40:00", "09:10:00", "Unknown", 1, 1, "n1|None")));
    }

    private static String row(String who, String submit, String start, String end, int held, int asked, String rest) {
        String day = "2026-03-02T";
        return "%s|%s|%s|%s|%s|02:00:00|%s|%s|%s"
                .formatted(
                        who,
                        day + submit,
                        day + submit,
                        start.equals("Unknown") ? start : day + start,
                        end.equals("Unknown") ? end : day + end,
                        held == 0 ? "" : "cpu=1,gres/gpu:a100=%d,gres/gpu=%d".formatted(held, held),
                        "cpu=1,gres/gpu:a100=%d,gres/gpu=%d".formatted(asked, asked),
                        rest);
    }

    @Test
    void they_are_kept_where_asked_for_with_the_last_time_of_the_log() {
        Trace trace = TraceReader.read(log, OPEN);

        LogEnd end = trace.end();
        assertThat(end.nanos() / 1_000_000_000L).isEqualTo(4200);
        assertThat(end.zeroNanos() / 1_000_000_000L).isEqualTo(1_772_438_400L);
        assertThat(end.open())
                .extracting(TraceJob::id)
                .containsExactlyInAnyOrder("2", "3", "4_3", "4_4", "4_5", "4_9", "6");
        TraceJob runs = end.open().stream()
                .filter(job -> job.id().equals("2"))
                .findFirst()
                .orElseThrow();
        assertThat(Objects.requireNonNull(runs.past()).startNanos() / 1_000_000_000L)
                .isEqualTo(1800);
        assertThat(runs.past().endNanos()).isGreaterThan(end.nanos());
        assertThat(runs.past().facts().nodeList()).isEqualTo("n[1-2]");
        TraceJob waits = end.open().stream()
                .filter(job -> job.id().equals("3"))
                .findFirst()
                .orElseThrow();
        assertThat(Objects.requireNonNull(waits.past()).startNanos()).isGreaterThan(end.nanos());
        assertThat(waits.gpus()).isEqualTo(8);
        assertThat(waits.demand().gpuTypes()).containsExactly("A100");
        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("1", "6");
        assertThat(trace.leftOut())
                .extracting(LeftOut::reason, LeftOut::jobs)
                .containsExactly(tuple("that waited for more than GPUs (held, dependent, or with a begin time)", 1L));
    }

    @Test
    void they_are_left_out_and_counted_elsewhere() {
        Trace trace = TraceReader.read(log, Options.DEFAULT);

        assertThat(trace.end().open()).isEmpty();
        assertThat(trace.leftOut())
                .extracting(LeftOut::sentence)
                .containsExactlyInAnyOrder(
                        "Left out: 5 jobs that still waited (12 GPUs, up to 24 GPU-hours by their limits, 46 min so far on"
                                + " average), so the true mean wait is higher.",
                        "Left out: 1 job that waited for more than GPUs (held, dependent, or with a begin time).",
                        "Left out: 1 job that still ran (state RUNNING) (2.0 GPU-hours).");
    }

    @Test
    void a_job_that_waited_in_one_row_and_ended_in_another_does_not_wait() throws IOException {
        List<String> rows = new ArrayList<>(Files.readAllLines(log));
        rows.add(row("3|v|COMPLETED", "08:20:00", "09:00:00", "09:10:00", 8, 8, "n1|None"));
        rows.add(row("7|v|CANCELLED", "08:20:00", "Unknown", "09:10:00", 0, 8, "None assigned|None"));
        Trace trace = TraceReader.read(Files.write(log, rows), Options.DEFAULT);

        assertThat(trace.leftOut())
                .extracting(LeftOut::jobs, left -> left.reason().replaceFirst(" \\(.*", ""))
                .contains(tuple(4L, LeftOut.WAITING), tuple(1L, "that never ran"));
    }

    /** The job that waited longest came before all that ended. */
    @Test
    void a_trace_without_those_that_were_kept_is_the_one_that_is_read_without_them() throws IOException {
        List<String> rows = new ArrayList<>(Files.readAllLines(log));
        rows.add(row("8|w|PENDING", "07:00:00", "Unknown", "Unknown", 0, 2, "None assigned|Priority"));
        rows.add(row("9|u|COMPLETED", "never", "08:00:00", "09:00:00", 2, 2, "n1|None"));
        Path file = Files.write(log, rows);
        Trace kept = TraceReader.read(
                file, new Options(null, null, false, 1 << 20, bytes -> {}, null, null, 0, 0, false, true));
        Trace without = TraceReader.read(file, Options.DEFAULT);

        Trace ended = kept.ended();

        assertThat(kept.end().firstNanos()).isEqualTo(3_600_000_000_000L);
        assertThat(ended.jobs()).isEqualTo(without.jobs());
        assertThat(ended.leftOut()).isEqualTo(without.leftOut());
        assertThat(ended.end()).isEqualTo(without.end());
        assertThat(without.oddities())
                .containsAll(ended.oddities())
                .hasSize(ended.oddities().size() + 1);
        assertThat(without.oddities()).contains("1 row tells of a job before its end; another row has its end.");
        assertThat(without.ended()).isSameAs(without);
    }

    @Test
    void a_trace_of_open_jobs_alone_is_refused_alike_however_it_is_read() throws IOException {
        List<String> rows = new ArrayList<>(Files.readAllLines(log));
        Path file = Files.write(log, List.of(rows.get(0), rows.get(2)));
        String refusal = file
                + ": 'no job that ended' is not valid: expected a log of jobs that ended, such as sacct -a -P prints; this (format sacct) lists jobs that run or wait, as for when --squeue FILE. Left out: 1 job that still ran (state RUNNING).";

        assertThatThrownBy(() -> TraceReader.read(file, Options.DEFAULT)).hasMessage(refusal);
        assertThatThrownBy(() -> TraceReader.read(file, OPEN).requireEnded(file.toString()))
                .hasMessage(refusal);
    }
}
