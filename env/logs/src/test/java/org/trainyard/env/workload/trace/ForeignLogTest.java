package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogFormats;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;
import org.trainyard.env.workload.trace.log.Billed;

/**
 * Logs that no format reads are refused by the names of their managers, and read by the columns that the refusal says.
 */
class ForeignLogTest {
    private static final String FLUX =
            "{'jobs': [{'id': 7, 't_submit': 1772438400.5, 't_run': 1772438460.5, 't_cleanup': 1772442060.5, 'nnodes': 2}]}";

    private static final String DOCUMENT =
            "{'_index': 'slurm', '_source': {'jobid': 7, '@submit': '2026-03-02T08:00:00', '@start': '2026-03-02T08:01:00',"
                    + " '@end': '2026-03-02T09:01:00', 'state': 'COMPLETED', 'tres_alloc': 'cpu=8,gres/gpu=16,node=2'}}";

    private static final String ALCF =
            "JOB_NAME,COBALT_JOBID,QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,NODES_USED,USED_CORE_HOURS\n"
                    + "a,7,2026-03-02 08:00:00.0,2026-03-02 08:01:00.0,2026-03-02 09:01:00.0,4,9\n";

    @TempDir
    Path dir;

    private Trace read(String text, Options options) throws IOException {
        return TraceReader.read(Files.writeString(dir.resolve("log.txt"), text.replace('\'', '"')), options);
    }

    private static Options columns(String columns) {
        return new Options(LogFormats.named(columns), null, true);
    }

    private String refusal(String text) {
        InputException refused = catchThrowableOfType(InputException.class, () -> read(text, Options.DEFAULT));
        return refused.getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNLIMITED", "infinite", "Partition_Limit", "-1", "None"})
    void a_limit_of_a_column_may_be_none(String none) throws IOException {
        Trace trace = read(
                "id,g,s,d,l\n1,2,0,60,%s\n2,2,0,60,01:00:00\n".formatted(none),
                columns("job=id,gpus=g,submit=s,duration=d,limit=l"));

        assertThat(trace.badLineCount()).isZero();
        assertThat(trace.jobs()).extracting(job -> job.terms().limitNanos()).containsExactly(0L, 3_600_000_000_000L);
    }

    @Test
    void json_that_ends_early_is_refused_in_words() {
        assertThat(refusal("{'kind':'List','items':[{'kind':'Pod'"))
                .contains(": 'Unexpected end-of-input: expected close marker for Object' is not valid: expected a CSV")
                .doesNotContain("Source", "StreamReadFeature");
    }

    @Test
    void the_columns_of_a_refusal_read_the_log() throws IOException {
        for (String text : List.of(FLUX, DOCUMENT, ALCF)) {
            String refusal = refusal(text);
            String columns = refusal.replaceAll("(?s).*--columns \"([^\"]*)\".*", "$1");
            Trace trace = read(text, columns(columns));

            assertThat(trace.jobs()).as(refusal).singleElement().satisfies(job -> {
                assertThat(job.gpus()).isEqualTo(16);
                assertThat(job.durationNanos()).isEqualTo(3_600_000_000_000L);
                assertThat(Objects.requireNonNull(job.past()).startNanos() - job.submitNanos())
                        .isEqualTo(60_000_000_000L);
            });
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'jobs': [{'id': 1, 't_submit': 1.5, 'nnodes': 1}]}; Flux is not read",
                "JOBID USER     NAME       ST NTASKS NNODES     TIME INFO; Flux is not read",
                "{'4711': {'submissionTime': 1, 'startTime': 2, 'stopTime': 3}}; OAR is not read",
                "{'items': [{'id': 4, 'submission_time': 1, 'start_time': 2, 'stop_time': 3}]}; OAR is not read",
                "job_id,submission_time,start_time,stop_time; OAR is not read",
                "{'hits': {'hits': [{'_source': {'@submit': 'x'}}]}}; jobcomp/elasticsearch is not read",
                "{'jobid': 4, '@submit': 'x', '@start': 'x'}; jobcomp/elasticsearch is not read",
                "==============================================================; Grid Engine"
            })
    void a_log_of_another_manager_is_called_by_its_name(String text, String name) {
        assertThat(refusal(text)).contains(name);
    }

    @Test
    void a_list_with_times_of_jobs_is_a_log_even_where_no_format_has_its_columns() throws IOException {
        Path log = Files.writeString(dir.resolve("log.json"), "[{\"id\": 1, \"submit_time\": 0, \"end_time\": 9}]");
        Path other = Files.writeString(dir.resolve("other.json"), "{\"jobs\": [{\"id\": 1, \"cost\": 0}]}");

        assertThat(JsonLog.isOne(log)).isTrue();
        assertThat(JsonLog.isOne(other)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "tres; billing=8,cpu=8,gres/gpu=2,mem=32G,node=1; 2; 1000; ",
                "tres; gres/gpu=2,gres/gpu:a100=2; 2; 1000; A100",
                "tres; cpu=4,gres/gpu:a100_3g.20gb=2; 2; 429; A100",
                "tres; gpu:h100:4; 4; 1000; H100",
                "tres; ncpus=8,ngpus=3; 3; 1000; ",
                "tres*4; gres/gpu=2; 8; 1000; ",
                "tres+4; gres/gpu=2; 6; 1000; ",
                "tres; 5; 5; 1000; "
            })
    void texts_of_tres_are_gpus_in_columns(String formula, String tres, int gpus, int milli, String type)
            throws IOException {
        Trace trace = read(
                "id|tres|s|d\n1|%s|0|60\n".formatted(tres),
                columns("job=id,gpus=%s,submit=s,duration=d".formatted(formula)));

        assertThat(trace.jobs()).singleElement().satisfies(job -> {
            assertThat(job.gpus()).isEqualTo(gpus);
            assertThat(job.demand().gpuMilli()).isEqualTo(milli);
            assertThat(job.demand().gpuTypes()).isEqualTo(type == null ? List.of() : List.of(type));
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"billing=8,cpu=8,gres/gpu=2; 8", "1=8,5=12,1001=2,billing=x; 12", "gres/gpu=2; "})
    void usage_that_a_log_bills_goes_with_its_job(String tres, Long billed) throws IOException {
        Trace trace = read(
                "JobID|State|Submit|Start|End|AllocTRES|AllocGRES\n"
                        + "1|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:01:00|%s|gpu:2\n"
                                .formatted(tres),
                new Options(null, null, true));

        assertThat(trace.jobs())
                .singleElement()
                .satisfies(
                        job -> assertThat(job.of(Billed.class)).isEqualTo(billed == null ? null : new Billed(billed)));
    }

    @Test
    void gpus_of_several_columns_add_up_and_one_of_them_may_be_empty() throws IOException {
        Trace trace = read(
                "id|a100|h100|s|d\n1|2|1|0|60\n2||4|0|60\n3|||0|60\n",
                columns("job=id,gpus=a100+h100*2,submit=s,duration=d"));

        assertThat(trace.jobs()).extracting(TraceJob::gpus).containsExactly(4, 8);
        assertThat(trace.leftOut())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).isEqualTo("without GPUs"));
    }

    @Test
    void a_text_that_names_no_gpus_is_no_number_and_one_without_gpus_is_none() throws IOException {
        String table = "id|tres|s|d\n0|gres/gpu=1|0|60\n1|%s|0|60\n";
        String columns = "job=id,gpus=tres,submit=s,duration=d";

        assertThatThrownBy(() -> read(table.formatted("2:ncpus=8:ngpus=4"), columns(columns)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("a whole number of GPUs");
        assertThat(read(table.formatted("cpu=8,node=1"), columns(columns)).leftOut())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).isEqualTo("without GPUs"));
        assertThat(read(table.formatted("gres/shard=2"), columns(columns)).leftOut())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).startsWith("with parts of GPUs (shard)"));
    }
}
