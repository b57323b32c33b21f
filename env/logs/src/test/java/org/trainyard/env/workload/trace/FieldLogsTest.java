package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;

/** Logs as people have them, in a folder beside the checkout; the test is skipped where there is none. */
class FieldLogsTest {
    private static final double SECOND = 1e9;

    private static Path file(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "field", name);
        assumeTrue(Files.exists(file), () -> "skipped: there is no " + file);
        return file;
    }

    private static Trace read(String name) {
        return TraceReader.read(file(name), Options.DEFAULT);
    }

    private static List<Double> waits(Trace trace) {
        return trace.jobs().stream()
                .map(job -> (Objects.requireNonNull(job.past()).startNanos() - job.submitNanos()) / SECOND)
                .toList();
    }

    private static double meanWait(Trace trace) {
        return waits(trace).stream().mapToDouble(Double::doubleValue).average().orElse(-1);
    }

    private static List<String> leftOut(Trace trace) {
        return trace.leftOut().stream()
                .map(left -> left.jobs() + " " + left.reason())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "t01-swf.swf; swf; 25; 1902.88",
                "t02-acme-seren.csv; acme; 2; 6.24",
                "t04-philly-raw.json; philly-log; 1; 429.46",
                "t06-gpu-v2025.csv; gpu-v2025; 30; 1428.1",
                "t08b-gavel-10col.trace; gavel; 12; 72",
                "t13-pbs.log; pbs; 6; 12",
                "t15-condor.json; condor; 6; 12",
                "t17-batsim.json; batsim; 2; 0.0333",
                "s01-sacct-25.05.json; sacct; 6; 0",
                "s03a-delimiter-semicolon.txt; sacct; 12; 24",
                "s03e-delimiter-tab.txt; sacct; 12; 24",
                "b21-own-format-semicolon.csv; trainyard; 2; 0.1389",
                "s06-jobidraw.txt; sacct; 12; 24",
                "s08-mig.txt; sacct; 5; 3.716",
                "s09-shard.txt; sacct; 1; 2",
                "s15b-cancelled-start-eq-end.txt; sacct; 12; 24",
                "s16e-dst.txt; sacct; 5; 0",
                "s17-bar-in-jobname.txt; sacct; 14; 28",
                "s22-skew.txt; sacct; 14; 28.33",
                "s33-reused-ids.txt; sacct; 3; 6",
                "s35-typed-log-plain-cluster.txt; sacct; 6; 12",
                "k03-hami.json; kubernetes; 6; 1.77",
                "k15-dra.json; kubernetes; 3; 1.95",
                "k06b-evicted.json; kubernetes; 6; 0",
                "k11-jsonlines.json; kubernetes; 3; 1.95",
                "k21-jobset.json; kubernetes; 1; 0",
                "k22-workflow.json; kubernetes; 3; 2.95",
                "f4-sge.accounting; grid-engine; 3; 6",
                "f4-timelimitraw.txt; sacct; 3; 3",
            })
    void a_log_is_read_as_what_it_is(String name, String format, int jobs, double gpuHours) {
        Trace trace = read(name);

        assertThat(trace.format().label()).isEqualTo(format);
        assertThat(trace.jobs()).hasSize(jobs);
        assertThat(trace.badLineCount()).isZero();
        double hours = trace.jobs().stream()
                .mapToDouble(job ->
                        job.durationNanos() / 3600e9 * job.gpus() * job.demand().gpuMilli() / 1000)
                .sum();
        if (gpuHours > 0 && !format.equals("gavel")) {
            assertThat(hours).isCloseTo(gpuHours, within(0.01 * gpuHours));
        }
    }

    @Test
    void waits_and_what_was_left_out_are_those_of_the_logs() {
        assertThat(waits(read("t02-acme-seren.csv"))).containsExactly(32.0, 13.0);
        assertThat(leftOut(read("t02-acme-seren.csv"))).containsExactly("1 without GPUs");
        assertThat(waits(read("t04-philly-raw.json"))).containsExactly(30.0);
        assertThat(read("t04-philly-raw.json").jobs().get(0).durationNanos() / SECOND)
                .isEqualTo(74 + 193_182);
        assertThat(leftOut(read("t04-philly-raw.json")))
                .containsExactlyInAnyOrder("1 that never ran", "1 that still ran");
        assertThat(meanWait(read("t06-gpu-v2025.csv"))).isCloseTo(189.9, within(0.05));
        assertThat(leftOut(read("t06-gpu-v2025.csv"))).hasSize(2);
        assertThat(meanWait(read("t13-pbs.log"))).isEqualTo(30);
        assertThat(meanWait(read("t15-condor.json"))).isEqualTo(30);
        assertThat(leftOut(read("s01-sacct-25.05.json"))).containsExactly("1 without GPUs");
        assertThat(Collections.max(waits(read("s01-sacct-25.05.json")))).isEqualTo(38_727);
        assertThat(waits(read("s01-sacct-25.05.json"))).contains(21_012.0);
        assertThat(leftOut(read("s15b-cancelled-start-eq-end.txt"))).containsExactly("5 that never ran");
        assertThat(leftOut(read("s09-shard.txt")).get(0)).startsWith("4 with parts of GPUs (shard)");
        assertThat(leftOut(read("k15-dra.json")).get(0)).contains("resource claims");
        assertThat(meanWait(read("s33-reused-ids.txt"))).isEqualTo(300);
        assertThat(waits(read("k22-workflow.json"))).containsOnly(60.0);
        assertThat(waits(read("s22-skew.txt"))).contains(0.0);
        assertThat(read("s22-skew.txt").oddities())
                .anyMatch(said -> said.startsWith("2 jobs started up to 5 s before"));
        assertThat(read("s16e-dst.txt").oddities()).anyMatch(said -> said.contains("daylight saving"));
        assertThat(read("t06-gpu-v2025.csv").leftOut())
                .extracting(LeftOut::jobs)
                .containsExactlyInAnyOrder(5L, 3L);
    }

    @Test
    void limits_are_those_of_the_column_in_minutes() {
        assertThat(read("f4-timelimitraw.txt").jobs())
                .extracting(job -> job.terms().limitNanos() / SECOND / 60)
                .containsExactlyInAnyOrder(120.0, 1440.0, 90.0);
        assertThat(waits(read("f4-sge.accounting"))).containsOnly(60.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "f4-sacct-no-jobid.txt; jobid,state,submit; gpus=AllocTRES,start=Start,submit=Start,end=End; 5; 10; 0",
                "f4-flux.json; Flux is not read; job=id,gpus=nnodes*8,submit=t_submit,start=t_run,end=t_cleanup; 3; 24; 60",
            })
    void a_log_of_no_format_is_refused_by_name_and_read_by_columns(
            String name, String refusal, String columns, int jobs, double gpuHours, double wait) {
        assertThatThrownBy(() -> read(name)).isInstanceOf(InputException.class).hasMessageContaining(refusal);
        Trace trace = TraceReader.read(file(name), new Options(LogFormats.named(columns), null, true));

        assertThat(trace.jobs()).hasSize(jobs);
        assertThat(trace.jobs().stream().mapToDouble(TraceJob::gpuHours).sum()).isCloseTo(gpuHours, within(1e-6));
        assertThat(waits(trace)).containsOnly(wait);
    }

    @Test
    void parts_of_gpus_and_gangs_are_what_they_hold() {
        assertThat(read("s08-mig.txt").jobs())
                .filteredOn(job -> job.gpus() == 1)
                .hasSize(4)
                .allMatch(job -> job.demand().gpuMilli() == 429
                        && job.demand().gpuTypes().equals(List.of("A100")));
        assertThat(read("k03-hami.json").jobs()).allMatch(job -> job.demand().gpuMilli() == 300);
        assertThat(read("k21-jobset.json").jobs().get(0).gpus()).isEqualTo(32);
        assertThat(read("k06b-evicted.json").jobs())
                .filteredOn(job -> job.gpus() == 4)
                .hasSize(3)
                .allMatch(job -> job.durationNanos() / SECOND == 31 * 60);
    }

    @Test
    void a_night_in_which_clocks_are_put_back_is_read_exactly_by_its_zone() {
        Trace trace = TraceReader.read(file("s16e-dst.txt"), Options.DEFAULT.in(ZoneId.of("Europe/Berlin")));

        assertThat(trace.jobs()).hasSize(5);
        assertThat(trace.jobs())
                .filteredOn(job -> job.id().equals("3"))
                .allMatch(job -> job.durationNanos() / SECOND == 17_400);
        assertThat(trace.jobs())
                .filteredOn(job -> job.id().equals("1"))
                .allMatch(job -> job.durationNanos() / SECOND == 1200);
    }
}
