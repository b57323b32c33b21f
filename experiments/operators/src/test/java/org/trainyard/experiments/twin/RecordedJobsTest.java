package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;
import org.trainyard.experiments.Shell;

class RecordedJobsTest {
    /** Without a folder beside the checkout: what never starts is found before the runs, and said by reason. */
    @Test
    void jobs_that_never_start_are_left_out_by_reason_and_all_of_them_refused(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("sacct.txt"), """
                JobID|User|Account|Partition|QOS|State|Submit|Start|End|Timelimit|ReqTRES|NNodes|NodeList
                1|u|a|p|normal|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T09:00:00|02:00:00|cpu=8,gres/gpu=8|1|n1
                2|u|a|p|normal|COMPLETED|2026-03-02T08:01:00|2026-03-02T09:00:00|2026-03-02T10:00:00|01:00:00|cpu=8,gres/gpu=8|1|n1
                """);
        String conf = "NodeName=n1 CPUs=64 Gres=gpu:8\nPartitionName=p Nodes=n1 Default=YES MaxTime=";

        Files.writeString(folder.resolve("slurm.conf"), conf + "60\n");
        assertThat(Twin.of(folder).answer().console())
                .contains("1 job can never start and is left out of the free runs: PartitionTimeLimit (partition p)");

        Files.writeString(folder.resolve("slurm.conf"), conf + "30\n");
        assertThatThrownBy(() -> Twin.of(folder))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("2 jobs can never start: PartitionTimeLimit (partition p)");
        assertThat(Shell.command(
                                "simulate --trace %s --cluster 1x8 --scheduler %s --as-logged",
                                folder.resolve("sacct.txt"), "slurm:" + folder.resolve("slurm.conf"))
                        .err())
                .contains("2 jobs can never start: PartitionTimeLimit (partition p)");
    }

    @Test
    void an_array_has_the_tasks_that_the_accounting_names() {
        String row = "%s|u|2026-03-02T08:00:00|Unknown|2026-03-02T09:00:00|CANCELLED|10:00|cpu=1,gres/gpu=1|1";

        RecordedJobs jobs = RecordedJobs.of(
                List.of(
                        "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes",
                        row.formatted("7_2"),
                        row.formatted("7_[3-4,6%2]"),
                        row.formatted("8")),
                null,
                null,
                node -> 64);

        assertThat(Objects.requireNonNull(jobs.jobs().get(7L)).tasks()).containsExactly(2, 3, 4, 6);
        assertThat(Objects.requireNonNull(jobs.jobs().get(7L)).atOnce()).isEqualTo(2);
        assertThat(jobs.count()).isEqualTo(5);
        assertThat(jobs.runs().stream().map(TwinRun::job)).containsExactly("7_2", "7_3", "7_4", "7_6", "8");
    }

    /** As the readers of logs do, where the accounting names types of GPUs alone. */
    @Test
    void gpus_of_types_alone_are_gpus() {
        RecordedJobs jobs = RecordedJobs.of(
                List.of(
                        "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes",
                        "7|u|2026-03-02T08:00:00|Unknown|Unknown|PENDING|1-02:03|"
                                + "cpu=32,gres/gpu:a100=8,license/matlab=2,mem=100G,node=2|2"),
                null,
                null,
                node -> 64);

        TwinJob job = Objects.requireNonNull(jobs.jobs().get(7L));

        assertThat(job.gpusPerNode()).isEqualTo(4);
        assertThat(job.terms().memoryMib()).as("of each node").isEqualTo(50 * 1024);
        assertThat(job.cpusPerNode()).isEqualTo(16);
        assertThat(job.limitSeconds()).isEqualTo((26 * 60 + 3) * 60);
        assertThat(job.licenses()).isEqualTo(Map.of("matlab", 2));
    }

    private static TwinJob only(String header, String row) {
        return RecordedJobs.of(List.of(header, row), null, null, name -> name.startsWith("n") ? 8 : 0)
                .jobs()
                .values()
                .iterator()
                .next();
    }

    /** All 8 CPUs of each node, and more than its own and one a node, by which Slurm rounds up. */
    @ParameterizedTest
    @CsvSource({
        "cpu=6, cpu=8, 1, n1, true",
        "cpu=7, cpu=8, 1, n1, false",
        "cpu=2, cpu=7, 1, n1, false",
        "cpu=2, cpu=16, 2, n[1-2], true",
        "cpu=14, cpu=16, 2, n[1-2], false",
        "cpu=2, cpu=16, 1, n1, false",
        "cpu=2, '', 1, '', false"
    })
    void a_job_that_held_all_cpus_of_its_nodes_had_them_alone(
            String asked, String held, int nodes, String names, boolean alone) {
        TwinJob job = only(
                "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|AllocTRES|NNodes|NodeList",
                "7|u|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T08:01:00|COMPLETED|10:00|%s|%s|%d|%s"
                        .formatted(asked, held, nodes, names));

        assertThat(job.terms().exclusive()).isEqualTo(alone);
    }

    @Test
    void a_job_of_the_accounting_asks_for_what_its_columns_say() {
        TwinJob job = only(
                "JobID|User|Account|QOS|Partition|Submit|Eligible|Start|End|State|Timelimit|ReqTRES|NNodes|Constraints|Reservation",
                "7|ann|acc|long|p,q|2026-03-02T08:00:00|2026-03-02T08:00:09|Unknown|Unknown|PENDING|Partition_Limit|"
                        + "cpu=9,mem=6G,gres/gpu=6|3|h100&ib|res");

        assertThat(List.of(job.user(), job.account(), job.qos(), job.partition()))
                .containsExactly("ann", "acc", "long", "p,q");
        assertThat(List.of(job.nodes(), job.gpusPerNode(), job.cpusPerNode())).containsExactly(3, 2, 3);
        assertThat(job.limitSeconds()).isEqualTo(-1);
        assertThat(job.terms().memoryMib()).isEqualTo(2048);
        assertThat(job.terms().features()).isEqualTo("h100&ib");
        assertThat(job.reservation()).isEqualTo("res");
        assertThat(job.eligibleSecond() - job.submitSecond()).isEqualTo(9);
        assertThat(job.tasks()).isEmpty();
    }

    /** Jobs that Slurm refused, parts of heterogeneous jobs, and GPUs that differ from node to node. */
    @Test
    void jobs_that_are_not_replayed_as_they_were_are_counted() {
        String row = "%s|u|2026-03-02T08:00:00|%s|%s|%s|10:00|cpu=8,gres/gpu=%d|2|%s";
        RecordedJobs jobs = RecordedJobs.of(
                List.of(
                        "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|NodeList",
                        row.formatted("1", "2026-03-02T08:00:00", "2026-03-02T08:00:00", "FAILED", 2, "None assigned"),
                        row.formatted("2", "2026-03-02T08:00:00", "2026-03-02T08:00:09", "FAILED", 2, "n[1-2]"),
                        row.formatted("3", "Unknown", "Unknown", "CANCELLED by 1", 3, "None assigned"),
                        row.formatted("4+0", "Unknown", "Unknown", "PENDING", 2, ""),
                        row.formatted("2.batch", "Unknown", "Unknown", "FAILED", 2, "n1"),
                        row.formatted("5", "2026-03-02T08:00:00", "2026-03-02T08:00:09", "NODE_FAIL", 2, "n[1-2]")),
                null,
                null,
                node -> 64);

        assertThat(jobs.unmodelled())
                .isEqualTo(Map.of(
                        "was refused by Slurm when it was submitted: is left out",
                        1,
                        "is a part of a heterogeneous job: is left out",
                        1,
                        "has GPUs that are not spread evenly over its nodes: has fewer here",
                        1));
        assertThat(jobs.jobs().keySet()).containsExactly(2L, 3L, 5L);
        assertThat(Objects.requireNonNull(jobs.jobs().get(3L)).gpusPerNode()).isEqualTo(1);
        assertThat(jobs.runs().stream()
                        .map(run -> "%s %s %s %s %s %d"
                                .formatted(
                                        run.job(),
                                        run.nodes(),
                                        run.requeued(),
                                        run.cancelled(),
                                        run.well(),
                                        run.startMillis() < 0 ? -1 : run.endMillis() - run.startMillis())))
                .containsExactly(
                        "2 [n1, n2] false false false 9000",
                        "3 [] false true false -1",
                        "5 [n1, n2] true false false 9000");
    }

    /**
     * In Berlin, the clock was put back by an hour at 3:00; accounting of one that ran for half an hour shows the
     * first.
     */
    @Test
    void a_run_that_clocks_show_as_ended_before_its_start_is_refused_with_both_times() {
        String row = "7|u|2026-10-25T02:00:00|2026-10-25T02:50:00|%s|COMPLETED|10:00|cpu=1,gres/gpu=1|1|n1";
        String header = "JobID|User|Submit|Start|End|State|Timelimit|ReqTRES|NNodes|NodeList";

        assertThatThrownBy(() ->
                        RecordedJobs.of(List.of(header, row.formatted("2026-10-25T02:20:00")), null, null, node -> 64))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "sacct.txt:2, End: '2026-10-25T02:20:00' is not valid: expected a time not before 2026-10-25T02:50:00, the start, as where no clock was put back");
        assertThat(RecordedJobs.of(List.of(header, row.formatted("2026-10-25T02:49:00")), null, null, node -> 64)
                        .runs())
                .extracting(run -> run.startMillis() - run.endMillis())
                .containsExactly(60_000L);
    }
}
