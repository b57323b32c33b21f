package org.trainyard.env.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.HostShare;
import org.trainyard.env.workload.LoggedRun;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.LogSamples;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceReader.Options;

/** Logs as Slurm and Kubernetes write them. */
class ClusterLogsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String SACCT = "JobID|State|Submit|Start|End|AllocTRES|ReqTRES\n";
    private static final String PODS = "pod,gpus,created,scheduled,finished,job\n";
    private static final Options STRICT = new Options(null, null, true);

    @TempDir
    Path dir;

    private Trace read(String text) throws IOException {
        return TraceReader.read(Files.writeString(dir.resolve("log.txt"), text), STRICT);
    }

    private static String sacct(String id, String submit, String start, String end, String tres) {
        return "%s|COMPLETED|2026-03-02T%s|%s|%s|%s|%s\n".formatted(id, submit, start, end, tres, tres);
    }

    private static long started(TraceJob job) {
        return Objects.requireNonNull(job.past()).startNanos();
    }

    private static String at(String time) {
        return "2026-03-02T" + time;
    }

    @Test
    void a_job_of_slurm_waits_from_its_submission_to_its_start_and_holds_its_gpus_to_its_end() throws IOException {
        Trace trace = read(SACCT
                + sacct("7", "08:00:00", at("08:10:00"), at("09:10:00"), "billing=8,gres/gpu:a100=4,gres/gpu=4")
                + sacct("8", "08:01:00", at("08:01:00"), at("08:01:30"), "cpu=1,gres/gpu=1"));

        assertThat(trace.format().label()).isEqualTo("sacct");
        TraceJob job = trace.jobs().get(0);
        assertThat(job.id()).isEqualTo("7");
        assertThat(job.submitNanos()).isZero();
        assertThat(started(job)).isEqualTo(600 * SECOND);
        assertThat(job.durationNanos()).isEqualTo(3600 * SECOND);
        assertThat(job.gpus()).isEqualTo(4);
        assertThat(job.demand().gpuTypes()).containsExactly("A100");
        assertThat(trace.jobs().get(1).submitNanos()).isEqualTo(60 * SECOND);
        assertThat(trace.jobs().get(1).demand().gpuTypes()).isEmpty();
    }

    @Test
    void steps_are_folded_tasks_of_arrays_are_jobs_and_runs_of_a_requeued_job_are_one() throws IOException {
        String gpu = "gres/gpu=2";
        Trace trace = read(SACCT
                + sacct("7_1", "08:00:00", at("08:10:00"), at("08:20:00"), gpu)
                + sacct("7_1.batch", "08:00:00", at("08:10:00"), at("08:20:00"), gpu)
                + sacct("7_2", "08:00:00", at("08:10:00"), at("08:30:00"), gpu)
                + sacct("9", "08:00:00", at("08:01:00"), at("08:02:00"), gpu).replace("COMPLETED", "REQUEUED")
                + sacct("9", "08:02:00", at("08:05:00"), at("08:15:00"), gpu)
                + sacct("11+0", "08:00:00", at("08:01:00"), at("08:02:00"), gpu)
                + sacct("11+1", "08:00:00", at("08:01:00"), at("08:02:00"), "gres/gpu=6"));

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("7_1", "7_2", "9", "11");
        assertThat(trace.jobs()).extracting(TraceJob::gpus).containsExactly(2, 2, 2, 8);
        assertThat(trace.jobs().get(2).durationNanos()).isEqualTo(660 * SECOND);
        assertThat(started(trace.jobs().get(2))).isEqualTo(60 * SECOND);
        assertThat(trace.oddities()).anyMatch(said -> said.startsWith("1 row is steps"));
    }

    @Test
    void jobs_that_cannot_be_replayed_are_left_out_with_their_number() throws IOException {
        Trace trace = read(SACCT
                + sacct("1", "08:00:00", at("08:10:00"), at("08:20:00"), "gres/gpu=2")
                + sacct("2", "08:00:00", at("08:10:00"), at("08:20:00"), "cpu=8")
                + sacct("3", "08:00:00", "Unknown", "Unknown", "gres/gpu=2")
                + sacct("4_[2-5%1]", "08:00:00", "Unknown", "Unknown", "gres/gpu=2")
                + "5|RUNNING|%s|%s|Unknown|gres/gpu=1|gres/gpu=1\n".formatted(at("08:00:00"), at("08:00:01")));

        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.badLineCount()).isZero();
        assertThat(trace.oddities())
                .contains(
                        "Left out: 1 job without GPUs.",
                        "Left out: 2 jobs that never ran.",
                        "Left out: 1 job that still ran (state RUNNING) (0.3 GPU-hours).");
    }

    @Test
    void a_job_that_had_to_wait_for_another_waits_for_gpus_only_from_then_on() throws IOException {
        Trace trace = read("JobID|State|Submit|Eligible|Start|End|AllocTRES\n1|COMPLETED|%s|%s|%s|%s|gres/gpu=1\n"
                .formatted(at("08:00:00"), at("09:00:00"), at("09:05:00"), at("10:00:00")));

        assertThat(started(trace.jobs().get(0))).isEqualTo(300 * SECOND);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        x7|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T08:10:00|gres/gpu=1|; jobid
        7|COMPLETED|yesterday|2026-03-02T08:00:00|2026-03-02T08:10:00|gres/gpu=1|; submit
        7|COMPLETED|2026-03-02T08:00:00|2026-03-02T07:00:00|2026-03-02T08:10:00|gres/gpu=1|; start
        7|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T07:10:00|gres/gpu=1|; end
        7|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-02-30T08:10:00|gres/gpu=1|; end
        7|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T08:10:00|gres/gpu=many|; alloctres
        7|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T08:10:00|gres/gpu=9999999|; alloctres
        7|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T08:10:00||gres/gpu=1; alloctres
        7||2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T08:10:00|gres/gpu=1|; state
        7|COMPLETED; line
        """)
    void a_bad_row_of_sacct_is_named_by_line_and_column(String row, String column) {
        assertThatThrownBy(() -> read(SACCT + row + "\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("log.txt:2, " + column)
                .hasMessageNotContaining("\n");
    }

    @Test
    void pods_of_a_gang_are_one_job_that_holds_the_gpus_they_held_together() throws IOException {
        Trace trace = read(PODS
                + "a-0,4,2026-03-02T08:00:00Z,2026-03-02T08:01:00Z,2026-03-02T09:00:00Z,a\n"
                + "a-1,4,2026-03-02T08:00:01Z,2026-03-02T09:02:00+01:00,2026-03-02T09:00:00Z,a\n"
                // Another attempt of the same pod, after the first: not held together.
                + "a-2,4,2026-03-02T09:01:00Z,2026-03-02T09:01:00Z,2026-03-02T10:01:00Z,a\n"
                + "b,1,2026-03-02T08:00:00Z,2026-03-02T08:00:00Z,2026-03-02T08:00:30Z,\n"
                + "web,0,2026-03-02T08:00:00Z,2026-03-02T08:00:00Z,,\n");

        assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly("a", "b");
        TraceJob gang = trace.jobs().get(0);
        assertThat(gang.gpus()).isEqualTo(8);
        assertThat(started(gang)).isEqualTo(60 * SECOND);
        assertThat(gang.durationNanos()).isEqualTo((59 * 60 + 3600) * SECOND);
        assertThat(trace.oddities()).contains("Left out: 1 job without GPUs.", "4 pods are 2 jobs.");
    }

    @Test
    void what_kubectl_prints_is_read_as_the_same_jobs_as_its_table() throws IOException {
        Trace table = TraceReader.read(
                Files.write(dir.resolve("t.csv"), LogSamples.sample(LogSamples.format("kubernetes"))), STRICT);
        byte[] json = getClass().getResourceAsStream("/traces/pods.json").readAllBytes();
        Trace pods = TraceReader.read(Files.write(dir.resolve("pods.json"), json), STRICT);

        assertThat(pods.format().label()).isEqualTo("kubernetes");
        assertThat(pods.jobs()).map(ClusterLogsTest::bare).isEqualTo(table.jobs());
        assertThat(pods.oddities()).isEqualTo(table.oddities());
    }

    /** The job without what pods know beyond the table. */
    private static TraceJob bare(TraceJob job) {
        LoggedRun past = Objects.requireNonNull(job.past());
        return job.on(SubmissionTerms.NONE)
                .attaching(HostShare.class, null)
                .ran(new LoggedRun(past.startNanos(), past.endNanos()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"items\": {}}",
                "{\"items\": [",
                "{\"items\": [{\"metadata\": {\"name\": \"a\"",
                "[]",
                "[1, 2]",
                "{\"items\": [{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"containers\": [{\"resources\":"
                        + " {\"limits\": {\"nvidia.com/gpu\": 1}}}]}, \"status\": {\"startTime\": \"noon\","
                        + " \"containerStatuses\": [{\"state\": {\"terminated\": {\"finishedAt\":"
                        + " \"2026-03-02T08:00:00Z\"}}}]}}]}"
            })
    void json_that_is_no_list_of_pods_is_refused_in_a_line(String json) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("log.txt")
                .hasMessageNotContaining("\n");
    }

    @Test
    void instants_with_zones_are_read_in_our_own_format_and_starts_are_kept() throws IOException {
        Trace trace = read("""
            job,submit_s,start_s,gpus,duration_s
            a,2026-03-02T08:00:00+01:00,2026-03-02T07:10:00Z,1,60
            b,2026-03-02T07:00:30Z,,2,60
            """);

        assertThat(trace.jobs()).extracting(TraceJob::submitNanos).containsExactly(0L, 30 * SECOND);
        assertThat(trace.jobs())
                .extracting(TraceJob::past)
                .containsExactly(new LoggedRun(600 * SECOND, 660 * SECOND), null);
        TraceWriter.write(trace.jobs(), dir.resolve("again.csv"));
        assertThat(TraceReader.read(dir.resolve("again.csv"), STRICT).jobs()).isEqualTo(trace.jobs());
    }

    @Test
    void rounded_times_agree_within_a_second_and_others_are_bad_lines() throws IOException {
        String row = "job,submit_s,start_s,end_s,gpus,duration_s\na,0,10.2,69.7,1,%s\n";

        assertThat(read(row.formatted(60)).jobs().get(0).past())
                .isEqualTo(new LoggedRun(10_200_000_000L, 70_200_000_000L));
        assertThatThrownBy(() -> read(row.formatted(61)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("end_s: '69.7'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-03-02T08:00:00", "2026-13-02T08:00:00Z", "-5", "1969-01-01T00:00:00Z"})
    void a_time_without_zone_or_out_of_range_is_a_bad_line(String time) {
        assertThatThrownBy(() -> read("job,submit_s,gpus,duration_s\na,%s,1,60\n".formatted(time)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("submit_s");
    }

    @Test
    void seconds_and_instants_do_not_mix_in_a_file() {
        assertThatThrownBy(() -> read("job,submit_s,gpus,duration_s\na,2026-03-02T08:00:00Z,1,60\nb,70,1,60\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("log.txt:3");
    }

    @Test
    void a_header_that_is_nearly_known_names_the_nearest_format_and_what_is_missing() {
        assertThatThrownBy(() -> read("JobID|State|Submit|Start|End|NNodes\n1|COMPLETED|a|b|c|1\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("alloctres")
                .hasMessageContaining("nearest to sacct");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "JobID    JobName  State; sacct -P",
                "NAMESPACE   NAME   READY   STATUS; kubectl get pods -o json",
                "apiVersion: v1; kubectl get pods -o json",
                "{'kind':'List','items':[{'apiVersion':'v1','kind':'Node','metadata':{'name':'n1'}}]}; kubectl get pods -o json prints; these are other objects of Kubernetes"
            })
    void a_log_of_the_right_command_with_the_wrong_options_names_the_options(String header, String options) {
        String text = header.startsWith("{") ? header.replace((char) 39, (char) 34) : header + "\nx\n";

        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(options)
                .hasMessageNotContaining("shockwave");
    }

    @ParameterizedTest
    @ValueSource(strings = {"many", "-1", "0.5"})
    void a_pod_with_a_number_of_gpus_that_is_none_is_a_bad_line_and_not_a_pod_without_gpus(String gpus)
            throws IOException {
        String pods =
                new String(getClass().getResourceAsStream("/traces/pods.json").readAllBytes(), StandardCharsets.UTF_8);
        String bad = pods.replaceFirst("\"nvidia.com/gpu\": *\"?\\d+\"?", "\"nvidia.com/gpu\": \"%s\"".formatted(gpus));

        assertThat(bad).isNotEqualTo(pods);
        assertThatThrownBy(() -> read(bad)).isInstanceOf(InputException.class).hasMessageContaining("gpus: '" + gpus);
    }

    @ParameterizedTest
    @CsvSource({"sacct.csv,UTF-16", "pods.json,UTF-16", "pods.json,UTF-16LE", "kubernetes.csv,UTF-8"})
    void a_byte_order_mark_tells_the_encoding(String sample, Charset encoding) throws IOException {
        byte[] plain = getClass().getResourceAsStream("/traces/" + sample).readAllBytes();
        String text = new String(plain, StandardCharsets.UTF_8);
        String mark = encoding.equals(StandardCharsets.UTF_16) ? "" : "\uFEFF";
        Path marked = Files.write(dir.resolve("marked"), (mark + text).getBytes(encoding));

        assertThat(TraceReader.read(marked, STRICT).jobs()).isEqualTo(read(text).jobs());
    }

    @Test
    void a_log_without_jobs_says_so_and_no_more() {
        assertThatThrownBy(() -> read(SACCT))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("log.txt: 'no jobs' is not valid: expected at least one readable job");
    }

    @Test
    void mutated_pods_are_read_or_refused_and_nothing_else() throws IOException {
        byte[] whole = getClass().getResourceAsStream("/traces/pods.json").readAllBytes();
        Random random = new Random(11);
        for (int i = 0; i < Integer.getInteger("trainyard.mutants", 1000); i++) {
            byte[] mutant = mutate(whole, random);
            Path file = Files.write(dir.resolve("mutant" + i), mutant);
            try {
                assertThat(TraceReader.read(file, Options.DEFAULT).jobs()).isNotEmpty();
            } catch (InputException e) {
                assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
            }
            Files.delete(file);
        }
    }

    private static byte[] mutate(byte[] whole, Random random) {
        byte[] mutant = whole.clone();
        List<String> bits = List.of("|", ",", "\n", "\"", "{", "0", "-", "T", "Z", "9999999999", "Unknown", "\u0000");
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(mutant.length);
            byte[] bit = bits.get(random.nextInt(bits.size())).getBytes(StandardCharsets.UTF_8);
            System.arraycopy(bit, 0, mutant, at, Math.min(bit.length, mutant.length - at));
        }
        return random.nextInt(8) == 0 ? java.util.Arrays.copyOf(mutant, random.nextInt(mutant.length)) : mutant;
    }
}
