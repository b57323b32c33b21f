package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.experiments.Shell;

/** Configurations as people have them, in a folder beside the checkout; the test is skipped where there is none. */
class FieldFoldersTest {
    private static Path file(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", ".."), "..", "shared", "field", name);
        assumeTrue(Files.exists(file), () -> "skipped: there is no " + file);
        return file;
    }

    private static Shell simulate(Path log, String cluster, String scheduler) {
        return Shell.run(
                "simulate", "--trace", log.toString(), "--cluster", cluster, "--scheduler", scheduler, "--as-logged");
    }

    /** The mean wait of the jobs that start, or what is said in place of the key. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "f4-partition-maxtime; 2x8; 0; PartitionTimeLimit (partition gpu)",
                "f4-qos-maxwall; 1x8; 0; QOSMaxWallDurationPerJobLimit (partition gpu)",
                "f4-topology-no-root; 4x8; 0; no switch has 4 such nodes below it (partition gpu)",
                "f4-partition-maxcpus; 1x8; 1770; -",
                "f4-include; 4x4:A100; 0; -",
            })
    void twin_and_simulate_agree_on_what_a_configuration_starts(
            String name, String cluster, double wait, String reason) {
        Path folder = file(name);

        Twin twin = Twin.of(folder);
        Shell shell = simulate(folder.resolve("sacct.txt"), cluster, "slurm:" + folder.resolve("slurm.conf"));

        assertThat(twin.json()).containsPattern("\"mean\" : %.0f\\.[0-9]+".formatted(wait));
        assertThat(shell.err()).doesNotContain("expected one of");
        assertThat(shell.out()).contains("Result: slurm:");
        if (reason != null) {
            assertThat(twin.answer().console())
                    .contains("1 job can never start and is left out of the free runs: ")
                    .contains(reason);
            assertThat(shell.out())
                    .contains("leaves out: 1 job can never start: ")
                    .contains(reason);
        } else {
            assertThat(shell.out()).doesNotContain("rejected");
        }
        if (name.equals("f4-partition-maxcpus")) {
            assertThat(shell.err()).contains("PartitionName, MaxCPUsPerNode=16: bounds who may start");
        }
    }

    /** Each job holds all CPUs of the one node: a wait of 9 h 45 min that no scheduler saves. */
    @Test
    void jobs_that_wait_for_cpus_wait_for_them_in_every_answer() {
        String folder = file("f4-cpus-bind").toString();
        String log = folder + "/sacct.txt";
        String slurm = "slurm:" + folder + "/slurm.conf";

        assertThat(Twin.of(Path.of(folder)).json()).contains("\"mean\" : 35121.");
        assertThat(simulate(Path.of(log), "1x8", slurm + ",fifo,easy").out())
                .containsPattern("slurm:.* 9 h 45 min .* 0\n")
                .containsPattern("fifo .* 9 h 45 min .*")
                .containsPattern("easy .* 9 h 45 min .*");
        assertThat(simulate(Path.of(log), "1x8:A100+64cpu", "fifo").out()).containsPattern("fifo .* 9 h 45 min .*");
        assertThat(Shell.run("advise", log, "--cluster", "1x8", "--limit", "0.1")
                        .out())
                .contains(
                        "Answer: keep your settings; no setting of Slurm tried has a shorter mean wait (9 h 45 min, simulated)")
                .contains("Trust: good");
        assertThat(Shell.run("shadow", log, "--cluster", "1x8", "--scheduler", "easy")
                        .out())
                .contains("40 start as they did, 0 earlier, 0 later")
                .contains("0 s saved");
        String when = Shell.run(
                        "when", log, "--cluster", "1x8", "--job", "1 gpus, 1 h", "--learn", "0", "--scheduler", slurm)
                .out();
        assertThat(when).contains("Starts: in 20 h 30 min (p50)", "Asked: 64 CPUs and 100 GiB");
    }

    /** The same log where nothing says the CPUs of the server. */
    @Test
    void no_gain_is_promised_where_cpus_held_jobs_and_nobody_says_them(@TempDir Path folder) throws IOException {
        String log = folder.resolve("log.txt").toString();
        Files.copy(file("f4-cpus-bind/sacct.txt"), Path.of(log));
        String line = "100 % of the wait was while enough GPUs were free";

        assertThat(Shell.run("advise", log, "--cluster", "1x8", "--limit", "0.1")
                        .out())
                .contains("Answer: none; " + line, "Trust: weak")
                .doesNotContain("to 0 s", "would");
        assertThat(Shell.run("shadow", log, "--cluster", "1x8", "--scheduler", "easy")
                        .out())
                .contains(line, "no gain that is promised")
                .doesNotContain("saved");
        assertThat(Shell.run(
                                "when",
                                log,
                                "--cluster",
                                "1x8",
                                "--job",
                                "1 gpus, 1 h",
                                "--learn",
                                "0",
                                "--scheduler",
                                "fifo")
                        .out())
                .contains(line);
        assertThat(simulate(Path.of(log), "1x8", "fifo").out()).contains(line);
    }

    @Test
    void the_time_between_decision_and_start_is_no_gain() {
        String log = file("f4-start-overhead.txt").toString();
        String line = "55 s pass between decision and start";

        assertThat(Shell.run("advise", log, "--cluster", "2x8", "--limit", "0.1")
                        .out())
                .contains("Answer: nothing is to be gained", line, "Trust: good", "the mean wait is off by 0 %")
                .doesNotContain("to 0 s", "off by 100 %");
        assertThat(Shell.run("shadow", log, "--cluster", "2x8", "--scheduler", "easy")
                        .out())
                .contains(line, "60 start as they did", "; 0 s saved");
        assertThat(Shell.run("when", log, "--cluster", "2x8", "--job", "4 gpus, 1 h", "--learn", "0")
                        .out())
                .contains("Starts: in 55 s (p50)", line);
        assertThat(simulate(Path.of(log), "2x8", "fifo").out()).contains(line);
    }

    @Test
    void a_table_of_accounts_without_their_parents_is_said() {
        Path folder = file("f4-assoc-plain");

        assertThat(Twin.of(folder).answer().console()).contains("assoc.txt: says not which account is above which");
        assertThat(simulate(folder.resolve("sacct.txt"), "1x8", "slurm:" + folder.resolve("slurm.conf"))
                        .err())
                .contains("assoc.txt: says not which account is above which");
    }

    /** Job 1 holds the four GPUs that the account above both labs may hold for an hour. */
    @Test
    void limits_of_an_account_above_others_hold_where_the_table_names_its_parents(@TempDir Path folder)
            throws IOException {
        Path plain = file("f4-assoc-plain");
        for (String name : List.of("slurm.conf", "sacct.txt", "qos.txt")) {
            Files.copy(plain.resolve(name), folder.resolve(name));
        }
        String table = Files.readString(plain.resolve("assoc.txt"))
                .replace("|Account|", "|ParentName|Account|")
                .replace("c|root|", "c||root|")
                .replace("c|dept|", "c|root|dept|")
                .replaceAll("c\\|(lab\\d)\\|\\|", "c|dept|$1||")
                .replaceAll("c\\|(lab\\d)\\|u", "c||$1|u");
        Files.writeString(folder.resolve("assoc.txt"), table);

        Shell shell = simulate(folder.resolve("sacct.txt"), "1x8", "slurm:" + folder.resolve("slurm.conf"));

        assertThat(shell.err()).doesNotContain("says not which account");
        assertThat(shell.out()).contains("29 min 30 s");
        assertThat(Twin.of(folder).json()).containsPattern("\"mean\" : 1770\\.[0-9]+");
    }

    /** A job of 1 and one of 2 GPUs waited 100 s beside 16 free ones, which nobody's order explains. */
    @Test
    void servers_of_several_widths_and_types_get_an_answer_that_promises_nothing() {
        Shell shell = Shell.run(
                "advise",
                file("f4-advise-mixed/log.csv").toString(),
                "--cluster",
                file("f4-advise-mixed/cluster.yaml").toString());

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains("3 jobs on mixed: 32 GPUs on 8 servers", "Answer: none; 100 % of the wait was while", "fifo")
                .contains("Not compared: kueue; it never starts 1 job, such as a of 16 GPUs");
    }

    @Test
    void a_log_of_flux_is_refused_by_its_name_and_read_by_its_columns() {
        String log = file("f4-flux.json").toString();
        String columns = "job=id,gpus=nnodes*8,submit=t_submit,start=t_run,end=t_cleanup";

        Shell refused = Shell.run("inspect", log);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).contains("Flux is not read", columns);
        assertThat(Shell.run("inspect", log, "--columns", columns).out())
                .contains(
                        "format columns",
                        "8 GPUs                3 jobs",
                        "median 60 s   p95 60 s   mean 60 s   of 3 jobs");
    }

    @Test
    void a_queue_that_can_never_admit_a_job_is_said_beside_the_unknown_key() {
        Path folder = file("f4-kueue-typo");

        Shell shell = simulate(folder.resolve("j.csv"), "1x8", "kueue:" + folder.resolve("q.yaml"));

        assertThat(shell.err())
                .contains("spec, cohortt: has no effect here")
                .contains(
                        "1 job can never start: ClusterQueue a can never admit 8 of nvidia.com/gpu, of which it may have 4")
                .doesNotContain("completed no job");
    }

    @Test
    void objects_of_another_project_are_refused_as_what_they_are() {
        Shell shell = simulate(file("f4-kueue-typo/j.csv"), "1x8", "kueue:" + file("f4-volcano-queue.yaml"));

        assertThat(shell.err())
                .contains("a Queue of scheduling.volcano.sh is not read: expected a ClusterQueue")
                .doesNotContain("expected one of");
    }

    @Test
    void where_no_job_fits_the_reasons_are_said() {
        assertThat(simulate(file("f4-all-typed.txt"), "8x8", "fifo").err())
                .contains("4 jobs ask for GPUs of type H100, which 8x8 lacks");
    }
}
