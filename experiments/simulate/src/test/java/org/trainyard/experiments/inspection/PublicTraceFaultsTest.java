package org.trainyard.experiments.inspection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.Shell;

/**
 * {@code inspect TRACE --cluster C} finds the faults of public traces that their users reported, on inputs of the same
 * shape.
 */
class PublicTraceFaultsTest {
    @TempDir
    private Path folder;

    private Path write(String name, String header, Iterable<String> rows) throws IOException {
        StringBuilder text = new StringBuilder(header).append('\n');
        rows.forEach(row -> text.append(row).append('\n'));
        return Files.writeString(folder.resolve(name), text);
    }

    private static Iterable<String> rows(int count, IntFunction<String> row) {
        return IntStream.range(0, count).mapToObj(row)::iterator;
    }

    private Path spotNodes() throws IOException {
        return write("node_info_df.csv", "gpu_model,gpu_capacity_num,cpu_num,node_name", rows(20, node -> {
            String type = node < 12 ? "A10,1,128" : node < 16 ? "A100-SXM4-80GB,8,128" : "GPU-series-1,4,192";
            return type + "," + node;
        }));
    }

    @Test
    void a_type_of_which_more_is_asked_for_than_there_is_is_named_with_its_load_and_others_are_not()
            throws IOException {
        // 160 jobs of 1,000 s, one every 62.5 s, are 16 at once, after 1,000 s: 133 % of twelve.
        Path jobs = write(
                "job_info_df.csv",
                "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type",
                rows(
                        3200,
                        job -> job % 2 == 0
                                ? "%d,13,A10,8,1,1,%.1f,1000,HP".formatted(job, job / 2 * 62.5)
                                : "%d,13,A100-SXM4-80GB,8,1,1,%.1f,1000,Spot".formatted(job, job / 2 * 62.5)));

        Shell shell = Shell.command("inspect %s --cluster %s", jobs, spotNodes());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .containsPattern(
                        "replay +Jobs that start at their submission use 13[123] % of the 12 GPUs of type A10 ")
                .containsPattern("load, A10 +1\\.33\\d of the 12 GPUs")
                .containsPattern("load, A100 +0\\.500 of the 32 GPUs")
                .doesNotContain("GPUs of type A100 on the mean");
    }

    @Test
    void a_list_of_nodes_is_a_cluster_and_its_types_of_unknown_speed_are_named() throws IOException {
        Shell shell = Shell.command("inspect %s", spotNodes());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("60 GPUs on 20 servers", "A100", "128 cores")
                .contains("note: the speed of GPUs of type GPU-SERIES-1 is not known; that of a V100 is assumed");
        Path pai = write(
                "pai_machine_spec.csv",
                "machine,gpu_type,cap_cpu,cap_mem,cap_gpu",
                rows(3, node -> "m%d,%s,96,512,%d".formatted(node, node < 2 ? "T4" : "CPU", node < 2 ? 2 : 0)));
        assertThat(Shell.command("inspect %s", pai).out()).contains("4 GPUs on 3 servers", "T4", "512 GiB");
        Path philly = write(
                "cluster_machine_list.csv",
                "machineId,number of GPUs, single GPU mem",
                rows(2, node -> "m%d,%d,24 GB".formatted(node, 2 + 6 * node)));
        assertThat(Shell.command("inspect %s", philly).out()).contains("10 GPUs on 2 servers");
    }

    @Test
    void a_cluster_that_the_log_never_fills_is_said() throws IOException {
        LocalDateTime zero = LocalDateTime.of(2023, 5, 17, 0, 0);
        DateTimeFormatter clock = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss'+08:00'");
        Path log = write(
                "trace_kalos.csv",
                "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time",
                rows(200, job -> {
                    LocalDateTime start = zero.plusMinutes(10L * job);
                    return "j%d,u1,1,8,16,Other,COMPLETED,%s,%s,%s,1800,0,14400"
                            .formatted(
                                    job, clock.format(start), clock.format(start), clock.format(start.plusMinutes(30)));
                }));

        String text = Shell.command("inspect %s --cluster 5x8", log).out();

        // Three jobs of eight at once are 60 % of forty.
        assertThat(text).containsPattern("replay +The log never holds more than 60 % of the 40 GPUs of 5x8");
        assertThat(Shell.command("inspect %s --cluster 3x8", log).out()).doesNotContain("replay  ");
        assertThat(Shell.command("inspect %s --cluster 2x8", log).out())
                .containsPattern("replay +The log holds 24 GPUs at once, more than the 16 of 2x8");
    }

    @Test
    void a_time_of_which_most_jobs_are_missing_is_said() throws IOException {
        // As of a table that begins in earnest on day 109 of 129.
        Path jobs = write("jobs.csv", "job,submit_s,gpus,duration_s", rows(2000, job -> {
            long day = job < 6 ? 18L * job : 109 + job % 20;
            return "%d,%d,1,60".formatted(job, day * 86_400 + job);
        }));

        assertThat(Shell.command("inspect %s --cluster 4x8", jobs).out())
                .containsPattern(
                        "replay +The first 8[45] % of the time between the submissions has 0.30 % of the jobs");
    }

    @Test
    void durations_that_contradict_start_and_end_are_counted_and_a_wrong_unit_is_named() throws IOException {
        String header = "job_id,user,vc,gpu_num,node_num,state,submit_time,start_time,end_time,cpu_num,duration,queue";
        String row = "j%d,u,vc,1,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:10:00,2020-04-01 02:10:00,4,%d,600";
        Path minutes = write("minutes.csv", header, rows(5, job -> row.formatted(job, 120)));
        Path wrong = write("wrong.csv", header, rows(5, job -> row.formatted(job, job == 0 ? 4000 : 7200)));

        assertThat(Shell.command("inspect %s", minutes).out())
                .contains("5 jobs have a duration in minutes; start and end count.");
        assertThat(Shell.command("inspect %s", wrong).out())
                .contains("1 job has a duration that is not end minus start, which count.");
    }

    @Test
    void a_table_that_does_not_say_when_jobs_were_submitted_is_refused_by_that() throws IOException {
        Path table = write(
                "job_execution_summary.csv",
                "pod_id,job_id,gpu_num,schedule_delay_sec,duration_sec,state_public",
                rows(5, job -> "p%d,j%d,8,12,3600,Unknown".formatted(job, job)));

        Shell shell = Shell.command("inspect %s", table);

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("submit");
    }
}
