package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.BadLine;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.adaptive.AdaptiveTrainingRun;
import org.trainyard.env.workload.log.LogFormat;
import org.trainyard.env.workload.log.LogSamples;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;

class TraceReaderTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String TINY = "job_id,num_gpu,submit_time,duration\n";

    @TempDir
    Path dir;

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("trace.csv"), text);
    }

    private Trace read(String text) throws IOException {
        return TraceReader.read(file(text), Options.DEFAULT);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(buffer)) {
            out.write(bytes);
        }
        return buffer.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("org.trainyard.env.workload.log.LogSamples#formats")
    void a_sample_of_every_format_is_recognised_and_read_whole(LogFormat format) throws IOException {
        byte[] sample = LogSamples.sample(format);
        Trace plain = TraceReader.read(Files.write(dir.resolve("s.csv"), sample), new Options(null, null, true));
        Trace zipped = TraceReader.read(Files.write(dir.resolve("s.csv.gz"), gzip(sample)), Options.DEFAULT);
        Trace forced = TraceReader.read(dir.resolve("s.csv"), new Options(format, null, true));
        assertThat(plain.format()).isEqualTo(format);
        assertThat(plain.name()).isEqualTo("s");
        assertThat(plain.badLineCount()).isZero();
        assertThat(plain.jobs().size()
                        + plain.leftOut().stream().mapToLong(LeftOut::jobs).sum())
                .isBetween(15L, 30L);
        assertThat(plain.jobs()).hasSizeGreaterThan(7);
        assertThat(zipped).isEqualTo(plain);
        assertThat(forced).isEqualTo(plain);
    }

    @Test
    void helios_submits_in_microseconds_and_runs_in_seconds() throws IOException {
        Trace trace = read(
                "# one\n# two\njob_id,user,tenant,submit_time,num_chips,duration_s\n7,ann,vc,5835000001,128,24.5\n");
        assertThat(trace.jobs())
                .containsExactly(new TraceJob("7", 5_835_000_001_000L, 128, 24_500_000_000L, null, "ann", null, "vc"));
    }

    @Test
    void pai_counts_instances_in_hundredths_of_a_gpu_and_runs_from_start_to_end() throws IOException {
        Trace trace = read("""
            job,group,user,inst_num,plan_gpu,gpu_type,start,end
            a,g,ann,2,50.0,T4,100,130.5
            b,g,ann,3.0,250,MISC,200,260
            c,,,1,100,,300,301
            """);
        assertThat(trace.format().label()).isEqualTo("pai");
        assertThat(trace.jobs())
                .containsExactly(
                        new TraceJob(
                                "a",
                                100 * SECOND,
                                Demand.ofGpus(2).withGpuMilli(500).onTypes(List.of("T4")),
                                30_500_000_000L,
                                null,
                                "ann",
                                "g",
                                null),
                        new TraceJob("b", 200 * SECOND, 9, 60 * SECOND, null, "ann", "g", null),
                        new TraceJob("c", 300 * SECOND, 1, SECOND, null, null, null, null));
    }

    @Test
    void pai_rows_that_never_ended_or_held_no_gpu_are_left_out_by_reason() throws IOException {
        Trace trace = read("""
            job,group,user,inst_num,plan_gpu,gpu_type,start,end
            running,g,ann,1,100,T4,100,
            backwards,g,ann,1,100,T4,100,90
            nothing,g,ann,1,100,T4,100,100
            host,g,ann,1,0,T4,100,200
            vague,g,ann,1,,T4,100,200
            huge,g,ann,1000000,200,T4,100,200
            good,g,ann,1,100,T4,100,200
            """);
        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("good");
        assertThat(trace.badLines()).extracting(BadLine::field).containsExactly("end", "end", "plan_gpu");
        assertThat(trace.leftOut())
                .extracting(left -> left.jobs() + " " + left.reason())
                .containsExactlyInAnyOrder("1 that still ran", "2 without GPUs", "3 on lines that cannot be read");
    }

    @Test
    void muri_is_in_milliseconds_and_its_work_is_iterations_times_iteration_time() throws IOException {
        Trace trace = read(
                "job_id,num_gpu,submit_time,iterations,model_name,duration,iteration_time\n0,4,1456,1000,bert,1,190\n");
        assertThat(trace.format().label()).isEqualTo("muri");
        assertThat(trace.jobs())
                .containsExactly(new TraceJob("0", 1_456_000_000L, 4, 190 * SECOND, "bert", null, null, null));
    }

    @Test
    void philly_counts_from_its_earliest_wall_clock_in_whatever_order() throws IOException {
        Trace trace = read("""
            timestamp,duration,num_gpus,gpu_time,cluster
            2017-11-05 02:00:00,10.0,1,1,b
            2017-11-05 01:59:59,5,2,1,a
            """);
        assertThat(trace.jobs())
                .containsExactly(
                        new TraceJob("line3", 0, 2, 5 * SECOND, null, null, null, "a"),
                        new TraceJob("line2", SECOND, 1, 10 * SECOND, null, null, null, "b"));
        assertThat(trace.oddities()).anyMatch(said -> said.startsWith("1 row is submitted before"));
    }

    @Test
    void what_a_job_demands_beyond_whole_gpus_has_columns_of_its_own() throws IOException {
        Trace trace = read("""
            job,submit_s,gpus,duration_s,gpu_milli,cpu_milli,memory_mib,min_gpus,max_gpus,one_server,gpu_types,segment
            part,0,1,5,250,1500,4096,,,,T4|V100,
            elastic,0,4,5,,,,2,8,1,,
            host,0,0,5,,64000,,,,0,,
            racks,0,64,5,,,,,,,,32
            plain,0,2,5,,,,,,,,
            """);
        assertThat(trace.badLineCount()).isZero();
        assertThat(trace.jobs())
                .extracting(TraceJob::demand)
                .containsExactly(
                        Demand.ofGpus(1).withGpuMilli(250).withHost(1500, 4096).onTypes(List.of("V100", "T4")),
                        Demand.ofGpus(4).elastic(2, 8).onOneServer(),
                        new Demand(0, 0, 0, Demand.WHOLE, 64_000, 0, false, List.of()),
                        Demand.ofGpus(64).inSegments(32),
                        Demand.ofGpus(2));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`1,0,,,,,,,`, gpu_milli",
                "`1,1001,,,,,,,`, gpu_milli",
                "`1,NaN,,,,,,,`, gpu_milli",
                "`1,,-1,,,,,,`, cpu_milli",
                "`1,,,1e40,,,,,`, memory_mib",
                "`1,,,0.5,,,,,`, memory_mib",
                "`0,,,,,,,,`, gpus",
                "`2,,,,3,,,,`, min_gpus",
                "`2,,,,0,,,,`, min_gpus",
                "`2,,,,,1,,,`, max_gpus",
                "`2,,,,,,yes,,`, one_server",
                "`2,,,,,,,T4||V100,`, gpu_types",
                "`64,,,,,,,,48`, segment",
                "`64,500,,,,,,,32`, segment",
                "`64,,,,32,,,,32`, segment",
            })
    void a_demand_that_makes_no_sense_is_a_bad_line_with_the_column_named(String demand, String column)
            throws IOException {
        String header =
                "job,submit_s,duration_s,gpus,gpu_milli,cpu_milli,memory_mib,min_gpus,max_gpus,one_server,gpu_types,segment\n";
        Trace trace = read(header + "good,0,1,1,,,,,,,,\nbad,0,1," + demand + "\n");
        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("good");
        assertThat(trace.badLines().get(0).toString())
                .startsWith(dir.resolve("trace.csv") + ":3, " + column + ": '")
                .contains("is not valid: expected ")
                .doesNotContain("\n");
    }

    @Test
    void shockwave_has_tabs_and_no_header_and_its_jobs_are_called_by_their_lines() throws IOException {
        Trace trace =
                read("# a comment, with a comma\n\n" + shockwave("LM (batch size 20)", "68054", "1", "static", "1000")
                        + shockwave("A3C (batch size 4)", "77", "2", "static", "12.5"));
        assertThat(trace.format().label()).isEqualTo("shockwave");
        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("line3", "line4");
        assertThat(trace.jobs()).extracting(TraceJob::model).containsExactly("LM", "A3C");
        assertThat(trace.jobs())
                .extracting(TraceJob::group)
                .containsExactly("LM (batch size 20), static", "A3C (batch size 4), static");
        assertThat(Objects.requireNonNull(trace.jobs().get(0).hidden().of(AdaptiveTrainingRun.class))
                        .stepsLeft(0))
                .isEqualTo(68_054);
        assertThat(trace.jobs().get(1).hidden().of(AdaptiveTrainingRun.class)).isNull();
        // 68.054051 steps per second, whole ones in each lease.
        assertThat(trace.jobs().get(0).durationNanos()).isBetween(1_000_000_000_000L, 1_000_100_000_000L);
        assertThat(trace.jobs().get(1).durationNanos()).isEqualTo(12_500_000_000L);
        assertThat(trace.oddities())
                .containsExactly(
                        "0 of 2 jobs change their batch size as they run; durations are worked out from measured"
                                + " rates, except for 1 job without any, where they are as listed.");
    }

    @Test
    void a_bad_line_of_shockwave_is_named_by_its_column() throws IOException {
        String good = shockwave("LM (batch size 20)", "100", "1", "static", "10");
        refusesLine(good, shockwave("LM", "100", "1", "static", "10"), "job_type");
        refusesLine(good, shockwave("LM (batch size 20)", "0", "1", "static", "10"), "total_steps");
        refusesLine(good, shockwave("LM (batch size 20)", "1e30", "1", "static", "10"), "total_steps");
        refusesLine(good, shockwave("LM (batch size 20)", "100", "0", "static", "10"), "scale_factor");
        refusesLine(good, shockwave("LM (batch size 20)", "100", "1", "magic", "10"), "mode");
        refusesLine(good, shockwave("LM (batch size 20)", "100", "1", "gns", "NaN"), "duration");
        refusesLine(good, "LM (batch size 20)\t3\n", "line");
    }

    private void refusesLine(String good, String bad, String column) throws IOException {
        Trace trace = read(good + bad);
        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.badLines().get(0).field()).isEqualTo(column);
        assertThat(trace.badLines().get(0).line()).isEqualTo(2);
    }

    private static String shockwave(String type, String steps, String gpus, String mode, String duration) {
        return String.join("\t", type, "python3", "dir", "-n", "1", steps, gpus, mode, "1", "-1.0", duration, "7")
                + "\n";
    }

    @Test
    void time_that_goes_backwards_is_put_in_order_and_said() throws IOException {
        Trace trace = read(TINY + "a,1,5,1\nb,1,3,1\nc,1,4,1\nd,1,1,1\n");
        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("d", "b", "c", "a");
        assertThat(trace.oddities()).containsExactly("2 rows are submitted before the row above them; sorted.");
    }

    @Test
    void an_id_that_appears_twice_is_a_bad_line() throws IOException {
        Trace trace = read(TINY + "a,1,5,1\nb,1,6,1\na,2,7,1\n");
        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("a", "b");
        assertThat(trace.badLines().get(0))
                .hasToString(dir.resolve("trace.csv")
                        + ":4, job_id: 'a' is not valid: expected an id that no line above has");
    }

    @Test
    void equal_submissions_keep_the_order_of_the_file() throws IOException {
        Trace trace = read(TINY + "c,1,5,1\na,1,5,1\nz,1,4,1\nb,1,5,1\n");
        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("z", "c", "a", "b");
    }

    @Test
    void decimal_seconds_are_exact_nanoseconds() throws IOException {
        Trace trace = read(TINY + "0,1,0.1,9007199.254740993\n1,2.0,1e3,1E-9\n");
        assertThat(trace.jobs()).extracting(TraceJob::submitNanos).containsExactly(100_000_000L, 1000 * SECOND);
        assertThat(trace.jobs()).extracting(TraceJob::durationNanos).containsExactly(9_007_199_254_740_993L, 1L);
    }

    @Test
    void columns_may_stand_in_any_order_and_others_beside_them() throws IOException {
        Trace trace = read("\uFEFFDuration, mood ,SUBMIT_TIME,num_gpu,job_id\n9,good,3,2,x\n");
        assertThat(trace.jobs()).containsExactly(new TraceJob("x", 3 * SECOND, 2, 9 * SECOND, null, null, null, null));
        assertThat(trace.oddities()).containsExactly("Columns not used: mood.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1,2,3",
                "1,2,3,4,5",
                "1,x,3,4",
                "1,-1,3,4",
                "1,1.5,3,4",
                "1,1000001,3,4",
                "1,1,NaN,4",
                "1,1,-1,4",
                "1,1,3,0",
                "1,1,3,-4",
                "1,1,3,Infinity",
                "1,1,1e99,4",
                "1,1,3,9e9",
                "1,1,3,1e999999999",
                "1,1,3,",
                ",1,3,4",
                "1,1,3,1e-40",
                "0,1,3,4",
                "1,1,3,0x10",
                "1,1,3,4d",
                "1,١,3,4,"
            })
    void a_bad_line_is_counted_named_and_left_out(String line) throws IOException {
        Trace trace = read(TINY + "0,1,0,1\n" + line + "\n");
        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.badLineCount()).isEqualTo(1);
        assertThat(trace.badLines().get(0).toString())
                .startsWith(dir.resolve("trace.csv") + ":3, ")
                .contains("is not valid: expected ")
                .doesNotContain("\n");
    }

    @Test
    void strict_reading_stops_at_the_first_bad_line() throws IOException {
        Path file = file(TINY + "0,1,0,1\n1,1,3,0\n2,x,0,1\n");
        assertThatThrownBy(() -> TraceReader.read(file, new Options(null, null, true)))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ":3, duration: '0' is not valid: expected a time longer than zero");
    }

    @Test
    void a_quote_that_swallows_lines_counts_them_all() throws IOException {
        Trace trace = read(TINY + "0,1,0,1\n\"1,1,3,0\n2,1,0,1\n3\",1,1,1\n4,1,9,9\n");
        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("0", "4");
        assertThat(trace.badLineCount()).isEqualTo(3);
    }

    @Test
    void only_twenty_bad_lines_are_kept_but_all_are_counted() throws IOException {
        Trace trace = read(TINY + "0,1,0,1\n" + "x,1,1,0\n".repeat(50));
        assertThat(trace.badLines()).hasSize(20);
        assertThat(trace.badLineCount()).isEqualTo(50);
        assertThat(trace.oddities()).containsExactly("50 rows have a duration of zero; left out.");
    }

    @Test
    void a_virtual_cluster_can_be_singled_out() throws IOException {
        Path file = Files.write(dir.resolve("h.csv"), LogSamples.sample(LogSamples.format("helios")));
        Trace all = TraceReader.read(file, Options.DEFAULT);
        Trace one = TraceReader.read(file, new Options(null, "vcOne", false));
        assertThat(one.jobs())
                .isEqualTo(all.jobs().stream()
                        .filter(job -> "vcOne".equals(job.virtualCluster()))
                        .toList());
        assertThat(all.jobs()).extracting(TraceJob::virtualCluster).containsOnly("vcOne", "vcTwo");
        assertThatThrownBy(() -> TraceReader.read(file, new Options(null, "vcThree", false)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'vcThree' is not valid: expected one of vcOne, vcTwo");
    }

    @Test
    void files_that_are_no_traces_are_refused_in_one_line() throws IOException {
        refuses(file(""), "empty");
        refuses(file("# only\n# comments\n"), "empty");
        refuses(
                file("a,b,c\n1,2,3\n"),
                "trace.csv:1, header: 'a,b,c' is not valid: expected a known format (trainyard, sacct");
        refuses(file(TINY), "at least one readable job");
        refuses(file(TINY + "1,1,1,0\n"), "at least one readable job; the first is ");
        refuses(file("job_id,num_gpu,submit_time,duration,duration\n1,1,1,1,1\n"), "every column once");
        refuses(file(TINY + "1,\"1\"x,1,1\n"), "line 2");
        refuses(dir.resolve("missing.csv"), "no such file");
        refuses(dir, "a trace file");
        byte[] gzip = gzip(LogSamples.sample(LogSamples.format("itp")));
        refuses(Files.write(dir.resolve("cut.gz"), Arrays.copyOf(gzip, gzip.length / 2)), "to its end");
        byte[] noise = new byte[5000];
        new Random(3).nextBytes(noise);
        refuses(Files.write(dir.resolve("noise"), noise), "expected");
    }

    @Test
    void a_forced_format_must_have_its_columns() throws IOException {
        Path file = file(TINY + "0,1,0,1\n");
        assertThatThrownBy(() -> TraceReader.read(file, new Options(LogSamples.format("muri"), null, false)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("expected also iterations,iteration_time, as muri has them");
        assertThatThrownBy(() -> TraceReader.read(file, new Options(LogSamples.format("shockwave"), null, false)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(
                        "the first is " + file + ":1, line: '1 fields' is not valid: expected 12, as shockwave has");
    }

    private static void refuses(Path file, String saying) {
        assertThatThrownBy(() -> TraceReader.read(file, Options.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(saying)
                .extracting(Throwable::getMessage)
                .satisfies(message -> assertThat(message.toString().lines()).hasSize(1));
    }

    @Test
    void whoever_waits_for_a_small_file_with_much_text_hears_of_it_all_the_time() throws IOException {
        Path file = dir.resolve("packed.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("job,submit_s,gpus,duration_s\na,0,1,100\n".getBytes(StandardCharsets.UTF_8));
            out.write("bad,1\n".repeat(200_000).getBytes(StandardCharsets.UTF_8));
        }
        List<Long> heard = new ArrayList<>();

        Trace trace = TraceReader.read(
                file, new Options(null, null, false, 1 << 21, heard::add, null, null, 0, 0, false, false));

        assertThat(trace.badLineCount()).isEqualTo(200_000);
        assertThat(trace.badLines()).hasSize(20);
        assertThat(heard).hasSizeGreaterThan(15).isSorted().last().isEqualTo(Files.size(file));
        assertThat(Files.size(file)).isLessThan(1 << 14);
    }
}
