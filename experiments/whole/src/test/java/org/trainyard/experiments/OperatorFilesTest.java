package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files of an operator in a folder: slurm.conf says the cluster of the log, and a file in the place of another is
 * called by its name.
 */
class OperatorFilesTest {
    private static final String OWN = "2x4:A100+1x4:H100";

    @TempDir
    private Path folder;

    private Path log = Path.of("");

    /** 40 jobs of an hour, one after the other on each of three nodes. */
    @BeforeEach
    void write_the_files() throws IOException {
        List<String> rows =
                new ArrayList<>(List.of("JobID|Partition|State|Submit|Start|End|AllocTRES|ReqTRES|NodeList"));
        for (int job = 0; job < 120; job++) {
            String type = job % 3 == 2 ? "h100" : "a100";
            String node = List.of("a1", "a2", "h1").get(job % 3);
            String day = "2026-03-%02dT%02d:00:0".formatted(2 + job / 60, job / 3 % 20);
            rows.add("%d|%s|COMPLETED|%s0|%s1|%s|gres/gpu:%s=4|gres/gpu:%s=4|%s"
                    .formatted(
                            job,
                            type.equals("a100") ? "gpu" : "big",
                            day,
                            day,
                            day.replace(":00:0", ":50:00"),
                            type,
                            type,
                            node));
        }
        log = Files.write(folder.resolve("sacct.txt"), rows);
        write(
                "slurm.conf",
                "ClusterName=c",
                "PriorityType=priority/multifactor",
                "AccountingStorageEnforce=limits",
                "NodeName=a[1-2] CPUs=8 Gres=gpu:a100:4",
                "NodeName=h1 CPUs=8 Gres=gpu:h100:4",
                "PartitionName=gpu Nodes=a[1-2] Default=YES",
                "PartitionName=big Nodes=h1");
    }

    private Path write(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"inspect %s", "when %s --job 2gpus --learn 0 --futures 2", "advise %s --what-if arrivals=1.1"})
    void without_a_cluster_it_is_that_of_the_slurm_conf_beside_the_log(String command) {
        Shell own = Shell.command(command, log);
        Shell file = Shell.command(command + " --cluster %s", log, folder.resolve("slurm.conf"));

        assertThat(own.code()).as(own.err()).isZero();
        assertThat(own.err()).contains("note: --cluster " + OWN + ", as ", "slurm.conf says");
        assertThat(file.out()).isEqualTo(own.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inspect %s",
                "when %s --job 2gpus --learn 0 --futures 2",
                "when backtest %s",
                "advise %s",
                "shadow %s --scheduler fifo",
                "simulate recorded --trace %s",
                "simulate --trace %s --scheduler fifo"
            })
    void another_cluster_than_that_of_the_slurm_conf_is_refused_with_its_text(String command) {
        for (String other : List.of("1x4:H100+2x4:A100", "2x4:A100+2x4:H100", "3x4:A100", "2x8:A100+1x4:H100", "3x4")) {
            Shell refused = Shell.command(command + " --cluster %s", log, other);

            assertThat(refused.code()).as(refused.err()).isEqualTo(2);
            assertThat(refused.err())
                    .contains("'cluster " + other + "' is not valid", "; --cluster " + OWN + System.lineSeparator());
            assertThat(refused.out()).isEmpty();
        }
    }

    @Test
    void inspect_says_the_load_of_each_type_and_calls_a_partition_by_its_name() {
        assertThat(Shell.command("inspect %s", log).out())
                .containsPattern("load, A100 +0\\.[0-9]+ of the 8 GPUs of type A100")
                .containsPattern("load, H100 +0\\.[0-9]+ of the 4 GPUs of type H100")
                .contains("partition gpu", "wait, 4-7 GPUs")
                .doesNotContain("VC ");
    }

    @Test
    void a_job_waits_for_those_alone_that_may_hold_its_gpus() throws IOException {
        String waits = "%d|%s|PENDING|2026-03-03T20:0%d:00|Unknown|Unknown||gres/gpu=4|None assigned";
        String runs = "%d|%s|RUNNING|2026-03-03T20:00:00|2026-03-03T20:00:00|Unknown|gres/gpu:%s=4|gres/gpu=4|%s";
        List<String> rows = new ArrayList<>(Files.readAllLines(log));
        rows.addAll(List.of(
                runs.formatted(900, "gpu", "a100", "a1"),
                runs.formatted(901, "gpu", "a100", "a2"),
                runs.formatted(902, "big", "h100", "h1"),
                waits.formatted(910, "gpu", 1),
                waits.formatted(911, "gpu", 2),
                waits.formatted(912, "big", 3),
                waits.formatted(913, "big", 4)));
        Files.write(log, rows);
        String command = "when %s --learn 0 --futures 4 --id ";

        assertThat(Shell.command(command + 913, log).out())
                .contains("Now: Tue 3 Mar 2026 20:04 (", "Priority: 1 waiting job for 4 GPUs comes before it", "(912)")
                .doesNotContain("(910");
        assertThat(Shell.run(
                                "when",
                                log.toString(),
                                "--learn",
                                "0",
                                "--futures",
                                "4",
                                "--job",
                                "4 gpus, 1 h, partition big")
                        .out())
                .contains("Priority: 2 waiting jobs for 8 GPUs come before it", "(912, 913)");
        assertThat(Shell.command(command + 3, log).err())
                .contains(
                        "a job that waits on Tue 3 Mar 2026 20:04, of which there are 4", "this job had ended by then");
        assertThat(Shell.command(command + 900, log).err()).contains("this job ran then");
        assertThat(Shell.command(command + 999, log).err())
                .contains("such as ", "910")
                .doesNotContain("this job");
    }

    @ParameterizedTest
    @ValueSource(strings = {"when %s --job 2gpus", "advise %s", "simulate --trace %s --scheduler fifo"})
    void the_names_of_nodes_in_the_log_say_that_the_order_is_another(String command) throws IOException {
        Files.delete(folder.resolve("slurm.conf"));
        Shell refused = Shell.command(command + " --cluster 1x4:H100+2x4:A100", log);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("80 jobs of 120 ran on another type than they ask for; perhaps " + OWN);
        assertThat(Shell.command("inspect %s", log).code()).isZero();
        assertThat(Shell.command("advise %s", log).err()).contains("--cluster", "or a slurm.conf beside the log");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Name|Priority|Flags|UsageFactor|GrpTRES; beside the log as qos.txt",
                "Cluster|Account|ParentName|User|Share; beside the log as assoc.txt",
                "ClusterName=hall; this is a slurm.conf",
                "ReservationName=m StartTime=2026-01-31T06:00:00; beside the log as reservations.txt"
            })
    void a_companion_in_the_place_of_the_log_is_called_by_its_name(String line, String said) throws IOException {
        Shell refused = Shell.command("inspect %s", write("log.txt", line, line));

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("expected the log, such as sacct -a -P prints; this is ", said)
                .doesNotContain("tiresias");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inspect %s", "when %s --id 2", "advise %s"})
    void a_listing_of_the_queue_is_no_log(String command) throws IOException {
        Path queue = write(
                "squeue.txt",
                "JOBID|STATE|SUBMIT_TIME|START_TIME|END_TIME|TIME_LIMIT|TRES_PER_NODE|NODES|NODELIST(REASON)",
                "1|RUNNING|2026-03-02T08:00:00|2026-03-02T08:10:00|2026-03-02T09:00:00|1:00:00|gres/gpu:4|1|a1",
                "2|PENDING|2026-03-02T08:20:00|N/A|N/A|1:00:00|gres/gpu:4|1|(Priority)");
        Shell refused = Shell.command(command, queue);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("squeue.txt: 'no job that ended' is not valid", "sacct -a -P prints", "--squeue");
    }

    @Test
    void tables_of_qos_and_associations_that_are_swapped_are_told_apart() throws IOException {
        write("assoc.txt", "Name|Priority|MaxTRESPU", "normal|0|gres/gpu=4");
        write("qos.txt", "Cluster|Account|User|Share", "c|root||1");

        assertThat(Shell.command("advise %s", log).err())
                .contains("assoc.txt:1", "this looks like what sacctmgr -P show qos (qos.txt) prints");
        assertThat(Shell.command("simulate --trace %s --scheduler fifo --cluster %s", log, folder.resolve("slurm.conf"))
                        .err())
                .contains("'a slurm.conf' is not valid");
    }
}
