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
}
