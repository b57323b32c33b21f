package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;

/** Limits, lengths and names of Slurm's accounting as its columns say them. */
class SlurmTimesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String TIMES = "2026-03-02T08:00:00|2026-03-02T08:10:00|2026-03-02T10:10:00|gres/gpu=1";

    @TempDir
    Path dir;

    private Trace read(String text) throws IOException {
        return TraceReader.read(Files.writeString(dir.resolve("log.txt"), text), Options.DEFAULT);
    }

    private Trace with(String columns, String values) throws IOException {
        return read("JobID|State|Submit|Start|End|AllocTRES|%s\n1|COMPLETED|%s|%s\n".formatted(columns, TIMES, values));
    }

    @Test
    void a_raw_limit_is_in_minutes() throws IOException {
        assertThat(with("TimelimitRaw", "90").jobs().get(0).terms().limitNanos())
                .isEqualTo(5400 * SECOND);
        assertThat(with("TimelimitRaw", "").jobs().get(0).terms().limitNanos()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "Suspended, 00:30:00, 5400",
        "Suspended, 00:00:00, 7200",
        "Elapsed, 01:30:00, 5400",
        "ElapsedRaw, 5400, 5400",
        "Elapsed|Suspended, 01:30:00|00:30:00, 5400",
        "Elapsed|Suspended, 01:00:00|01:00:00, 3600",
        "ElapsedRaw, 3600, 3600",
        "ElapsedRaw, 10800, 10800"
    })
    void time_that_a_job_was_suspended_is_none_that_it_ran(String columns, String values, long seconds)
            throws IOException {
        Trace trace = with(columns, values);

        assertThat(trace.jobs().get(0).durationNanos()).isEqualTo(seconds * SECOND);
        assertThat(trace.oddities().stream().anyMatch(said -> said.contains("suspended")))
                .isEqualTo(seconds == 5400 || values.contains("|"));
    }

    @Test
    void a_job_without_an_end_ends_after_the_time_that_it_ran_and_was_suspended() throws IOException {
        Trace trace = read("""
                JobID|State|Submit|Start|Elapsed|Suspended|AllocTRES
                1|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:10:00|01:30:00|00:30:00|gres/gpu=1
                2|RUNNING|2026-03-02T08:00:00|2026-03-02T08:10:00|01:30:00|00:00:00|gres/gpu=1
                3|CANCELLED|2026-03-02T08:00:00|2026-03-02T08:10:00|00:00:00|00:00:00|gres/gpu=1
                """);

        TraceJob job = trace.jobs().get(0);
        assertThat(trace.jobs()).hasSize(1);
        assertThat(job.durationNanos()).isEqualTo(5400 * SECOND);
        assertThat(Objects.requireNonNull(job.past()).endNanos() - job.submitNanos())
                .isEqualTo(7800 * SECOND);
        assertThat(trace.leftOut())
                .extracting(left -> left.reason())
                .containsExactly("that never ran", "that still ran (state RUNNING)");
    }

    @Test
    void columns_that_are_not_used_are_named() throws IOException {
        assertThat(with("Flags|WorkDir|Elapsed", "x|y|02:00:00").oddities())
                .contains("Columns not used: flags, workdir.");
    }

    @Test
    void a_line_break_in_a_name_cuts_no_job() throws IOException {
        Trace trace = read("""
                JobID|JobName|State|Submit|Start|End|AllocTRES
                1|a|COMPLETED|%1$s
                2|one
                two

                three|COMPLETED|%1$s
                3|cut|COMPLETED
                4|b|COMPLETED|%1$s
                5|x
                y|z|COMPLETED|%1$s
                """.formatted(TIMES));

        assertThat(trace.jobs()).extracting(TraceJob::id).contains("1", "2", "4");
        assertThat(trace.jobs())
                .filteredOn(job -> job.id().equals("2"))
                .extracting(TraceJob::group)
                .containsExactly("one two three");
        assertThat(trace.badLines().get(0).line()).isEqualTo(7);
    }

    @Test
    void a_line_break_in_what_scontrol_prints_cuts_no_job() throws IOException {
        Trace trace = read("""
                JobId=17 JobName=one
                two UserId=ada(1001) JobState=COMPLETED SubmitTime=2026-03-02T08:00:00 StartTime=2026-03-02T08:10:00 EndTime=2026-03-02T09:10:00 TRES=gres/gpu=1
                JobId=18 JobName=a UserId=ada(1001) JobState=COMPLETED SubmitTime=2026-03-02T08:00:00 StartTime=2026-03-02T08:10:00 EndTime=2026-03-02T09:10:00 TRES=gres/gpu=1
                """);

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("17", "18");
        assertThat(trace.badLineCount()).isZero();
    }

    @Test
    void a_log_of_a_slurm_that_accounts_no_gpus_is_told_so() {
        String log = "JobID|State|Submit|Start|End|NNodes|AllocTRES\n1|COMPLETED|"
                + TIMES.replace("|gres/gpu=1", "|2|cpu=8,node=2") + "\n";

        assertThatThrownBy(() -> read(log))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("AccountingStorageTRES=gres/gpu")
                .hasMessageContaining("gpus=NNodes*8");
    }
}
