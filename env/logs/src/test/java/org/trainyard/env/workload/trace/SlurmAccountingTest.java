package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.Segments;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;

/** Rows of sacct at the edges of what they may say. */
class SlurmAccountingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String HEADER =
            "JobID|State|Submit|Eligible|Start|End|AllocTRES|ReqTRES|User|JobName|Partition|Account\n";

    @TempDir
    Path dir;

    private Trace read(String... rows) throws IOException {
        return TraceReader.read(
                Files.writeString(dir.resolve("log.txt"), HEADER + String.join("\n", rows) + "\n"),
                new TraceReader.Options(null, null, true));
    }

    private static String row(String id, String eligible, String start, String tres, String partition) {
        return "%s|COMPLETED|2026-03-02T08:00:00|%s|2026-03-02T%s|2026-03-02T10:00:00|%s|%s|ada|train|%s|lab"
                .formatted(id, eligible.isEmpty() ? "Unknown" : "2026-03-02T" + eligible, start, tres, tres, partition);
    }

    private static long startedAfter(TraceJob job) {
        return (Objects.requireNonNull(job.past()).startNanos() - job.submitNanos()) / SECOND;
    }

    @Test
    void a_job_waits_from_the_time_at_which_it_could_start_unless_that_is_after_its_start() throws IOException {
        Trace trace = read(
                row("1", "", "08:10:00", "gres/gpu=1", "p"),
                row("2", "08:04:00", "08:10:00", "gres/gpu=1", "p"),
                row("3", "08:10:00", "08:10:00", "gres/gpu=1", "p"),
                row("4", "08:10:01", "08:10:00", "gres/gpu=1", "p"),
                row("5", "07:00:00", "08:10:00", "gres/gpu=1", "p"));

        assertThat(trace.jobs())
                .extracting(TraceJob::id, SlurmAccountingTest::startedAfter)
                .containsExactlyInAnyOrder(
                        tuple("1", 600L), tuple("2", 360L), tuple("3", 0L), tuple("4", 600L), tuple("5", 600L));
        assertThat(trace.oddities()).anyMatch(oddity -> oddity.startsWith("2 jobs could start only after"));
    }

    @ParameterizedTest
    @CsvSource({
        "1-02:03, 93780",
        "90, 5400",
        "1-02, 93600",
        "Partition_Limit, 0",
        "UNLIMITED, 0",
        "999999999, 3153600000"
    })
    void a_limit_is_in_minutes_or_a_span_of_time_or_none(String limit, long seconds) throws IOException {
        String row = row("1", "", "08:10:00", "gres/gpu=1", "p");
        Trace trace = TraceReader.read(
                Files.writeString(dir.resolve("log.txt"), HEADER.strip() + "|Timelimit\n%s|%s\n".formatted(row, limit)),
                new TraceReader.Options(null, null, true));

        assertThat(trace.jobs().get(0).terms().limitNanos()).isEqualTo(seconds * SECOND);
    }

    @Test
    void types_on_which_jobs_ran_that_asked_for_none_are_kept() throws IOException {
        String ran = row("1", "", "08:10:00", "gres/gpu:a100=4,gres/gpu=4", "p");
        int requested = ran.lastIndexOf("gres/gpu:a100=4,");
        Trace trace = read(
                ran.substring(0, requested) + ran.substring(requested + "gres/gpu:a100=4,".length()),
                row("2", "", "08:10:00", "gres/gpu:v100=1", "p"));

        assertThat(trace.ranOn()).containsExactly("A100");
    }

    @Test
    void gpus_with_and_without_a_type_are_the_same_gpus_and_types_add_up() throws IOException {
        Trace trace = read(
                row("1", "", "08:10:00", "cpu=8,gres/gpu=4,gres/gpu:a100=4", "p"),
                row("2", "", "08:10:00", "gres/gpu:a100=2,gres/gpu:v100=1", "p"),
                row("3", "", "08:10:00", "gres/gpu=3", "p"));

        assertThat(trace.jobs()).extracting(job -> job.demand().gpus()).containsExactlyInAnyOrder(4, 3, 3);
        assertThat(trace.jobs().get(0).demand().gpuTypes()).hasSize(1);
    }

    /** sacct(1) has the size of segments since 25.05; that they are consolidated its submit lines say, and scontrol. */
    @Test
    void segments_are_what_submit_lines_or_their_own_columns_say() throws IOException {
        String times = "COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T09:00:00|gres/gpu=8|";
        Trace accounted = TraceReader.read(
                Files.writeString(
                        dir.resolve("sacct.txt"),
                        String.join(
                                "\n",
                                "JobID|State|Submit|Start|End|AllocTRES|SegmentSize|SubmitLine",
                                "1|" + times + "|sbatch -N8 --segment=4 a.sh",
                                "2|" + times + "4|sbatch -N8 --consolidate-segments a.sh",
                                "3|" + times + "0|sbatch a.sh --segment=4",
                                "4|" + times + "2|")),
                new TraceReader.Options(null, null, true));
        Trace listed = TraceReader.read(
                Files.writeString(
                        dir.resolve("scontrol.txt"),
                        "JobId=7 JobName=a UserId=ada(1) JobState=COMPLETED SubmitTime=2026-03-02T08:00:00"
                                + " StartTime=2026-03-02T08:00:00 EndTime=2026-03-02T09:00:00 NumNodes=8"
                                + " AllocTRES=gres/gpu=8 SegmentSize=4 ConsolidateSegments=Yes\n"),
                new TraceReader.Options(null, null, true));

        assertThat(accounted.jobs())
                .extracting(each -> each.terms().segments())
                .containsExactly(new Segments(4, false), new Segments(4, true), null, new Segments(2, false));
        assertThat(listed.jobs()).extracting(each -> each.terms().segments()).containsExactly(new Segments(4, true));
    }

    @Test
    void licences_are_what_the_log_or_its_requested_resources_say() throws IOException {
        Trace accounted = read(
                row("1", "", "08:10:00", "cpu=8,gres/gpu=4,license/fluent=2,license/ansys@server=1", "p"),
                row("2", "", "08:10:00", "gres/gpu=3", "p"));
        String job = "JobId=7 JobName=a UserId=ada(1) JobState=COMPLETED SubmitTime=2026-03-02T08:00:00"
                + " StartTime=2026-03-02T08:00:00 EndTime=2026-03-02T09:00:00 NumNodes=1"
                + " ReqTRES=gres/gpu=1,license/fluent=2 AllocTRES=gres/gpu=1 Licenses=";
        Trace listed = TraceReader.read(
                Files.writeString(dir.resolve("jobs.txt"), job + "fluent:2 Network=(null)\n" + job + "(null)\n"),
                new TraceReader.Options(null, null, true));

        assertThat(accounted.jobs())
                .extracting(each -> each.terms().licenses())
                .containsExactly("fluent:2,ansys@server:1", null);
        assertThat(listed.jobs()).extracting(each -> each.terms().licenses()).contains("fluent:2");
    }

    @Test
    void the_partition_is_the_virtual_cluster_and_the_account_where_there_is_none() throws IOException {
        Trace trace =
                read(row("1", "", "08:10:00", "gres/gpu=1", "gpu-long"), row("2", "", "08:10:00", "gres/gpu=1", ""));

        assertThat(trace.jobs()).extracting(TraceJob::virtualCluster).containsExactly("gpu-long", "lab");
        assertThat(trace.jobs()).extracting(TraceJob::user).containsOnly("ada");
    }

    @Test
    void times_in_the_wrong_order_and_counts_that_are_none_are_refused_by_their_columns() {
        assertThatThrownBy(() -> read(row("1", "", "07:59:54", "gres/gpu=1", "p")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("start");
        assertThatThrownBy(() -> read(row("1", "", "10:00:01", "gres/gpu=1", "p")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("end");
        assertThatThrownBy(() -> read(row("1", "", "08:10:00", "gres/gpu=one", "p")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("alloctres");
    }
}
