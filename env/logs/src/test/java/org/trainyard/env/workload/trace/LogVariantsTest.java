package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;
import org.trainyard.env.workload.trace.log.Table;

/** Files as options, locales and tools of people make them. */
class LogVariantsTest {
    private static final String TIMES = "2026-03-02T08:00:00|2026-03-02T08:10:00|2026-03-02T09:10:00";

    private static final String TABLE = "job_id,submit_time,start_time,end_time,gpu_num,user,vc,state\n";

    @TempDir
    Path dir;

    private Trace read(String text) throws IOException {
        return TraceReader.read(Files.writeString(dir.resolve("log.txt"), text), Options.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({"gres/gpu:a100:4, 4, A100", "gres/gpu:4, 4, ''", "gres/gpu:h100=2, 2, H100", "gres:gpu:v100:1, 1, V100"
    })
    void what_a_job_asks_for_on_each_node_is_read_in_every_spelling(String asked, int gpus, String type)
            throws IOException {
        String end = "NumNodes=1 TRES=cpu=8,gres/gpu=%d TresPerNode=%s".formatted(gpus, asked);
        Trace control = read(
                "JobId=17 JobName=a b UserId=ada(1001) JobState=COMPLETED SubmitTime=2026-03-02T08:00:00 EligibleTime=Unknown"
                        + " StartTime=2026-03-02T08:10:00 EndTime=2026-03-02T09:10:00 Partition=gpu " + end + "\n");
        Trace queue = read("JOBID|STATE|SUBMIT_TIME|START_TIME|END_TIME|TRES_PER_NODE|NODES\n6|COMPLETED|%s|%s|2\n"
                .formatted(TIMES, asked));

        assertThat(control.jobs()).singleElement().satisfies(job -> {
            assertThat(job.gpus()).isEqualTo(gpus);
            assertThat(String.join(" ", job.demand().gpuTypes())).isEqualTo(type);
        });
        assertThat(queue.jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.gpus()).isEqualTo(2 * gpus));
    }

    @Test
    void decimal_commas_stand_where_semicolons_stand_between_columns() throws IOException {
        Trace trace = read("job;submit_s;gpus;duration_s\na;0;1;10,5\nb;0,25;2;100\n");

        assertThat(trace.jobs()).extracting(TraceJob::durationNanos).containsExactly(10_500_000_000L, 100_000_000_000L);
        assertThat(trace.oddities()).contains("2 rows have numbers with decimal commas; read as points.");
    }

    @Test
    void fields_between_tabs_may_stand_in_quotes() throws IOException {
        assertThat(read("\"job\"\t\"submit_s\"\t\"gpus\"\t\"duration_s\"\n\"a\"\t\"0\"\t\"2\"\t\"100\"\n")
                        .jobs())
                .hasSize(1);
    }

    private static String row(String submit, String start, String end, String state) {
        return "1,%s,%s,%s,8,a,v,%s\n".formatted(submit, start, end, state);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaT", "nan", "\\N", "<NA>", "null", ""})
    void what_other_programs_write_for_nothing_is_no_time(String nothing) throws IOException {
        Trace trace = read(TABLE
                + row("2026-03-02 08:00", "2026-03-02 08:10", "2026-03-02 09:10", "COMPLETED")
                + row("2026-03-02 08:00", nothing, nothing, "CANCELLED").replaceFirst("1", "2"));

        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.leftOut())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).startsWith("that never ran"));
    }

    @Test
    void an_end_that_is_estimated_is_none() throws IOException {
        Trace trace = read(TABLE
                + row("Mar  2 08:00:00 2026", "Mar  2 08:10:00 2026", "Mar  2 09:10:00 2026 L", "DONE")
                + row("Mar  2 08:00:00 2026", "Mar  2 08:10:00 2026", "Mar  2 20:10:00 2026 E", "RUN")
                        .replaceFirst("1", "2"));

        assertThat(trace.jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.gpuHours()).isEqualTo(8, within(1e-9)));
        assertThat(trace.leftOut())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).startsWith("that still ran"));
    }

    @Test
    void dates_with_points_are_of_days_and_months_and_those_with_slashes_are_refused() throws IOException {
        String columns = TABLE.strip() + ",,\n";

        assertThat(read(columns
                                + row("2.3.2026 08:00", "02.03.2026 08:10", "2.3.2026 09:10:00", "DONE")
                                        .strip() + ",,\n")
                        .jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.gpuHours()).isEqualTo(8, within(1e-9)));
        assertThatThrownBy(() -> read(TABLE + row("3/2/2026 8:00 AM", "3/2/2026 8:10 AM", "3/2/2026 9:10 AM", "DONE")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("may begin with the month or with the day");
    }

    @ParameterizedTest
    @CsvSource({"1772438400, 1772439000, 1772442600", "1772438400000, 1772439000000, 1772442600000"})
    void times_since_1970_have_the_unit_that_they_can_have(String submit, String start, String end) throws IOException {
        Trace trace = read(TABLE + row(submit, start, end, "COMPLETED"));

        assertThat(trace.jobs().get(0).gpuHours()).isEqualTo(8, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({
        "'sacct: error: cannot connect', delete the lines above the header",
        "'+-----+---+', what mysql -B prints",
        "'JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode', 'also submit,start,end,alloctres: it is nearest to sacct'",
        "'id,queued_at,started_at,finished_at,num_gpus,workers', 'gpus_each=num_gpus,instances=workers'"
    })
    void a_header_that_is_none_says_what_to_do(String header, String advice) {
        assertThatThrownBy(() -> read(header + "\n1|2\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(advice);
    }

    @Test
    void gpus_of_the_whole_job_are_not_named_beside_instances() {
        assertThatThrownBy(() -> Table.parse("job=id,gpus=g,instances=n,submit=s,duration=d", "--columns"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("gpus_each with instances");
        assertThat(Table.parse("job=id,gpus_each=g,instances=n,submit=s,duration=d", "--columns")
                        .required())
                .contains("n");
    }
}
