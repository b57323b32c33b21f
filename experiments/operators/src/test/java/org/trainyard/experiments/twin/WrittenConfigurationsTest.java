package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;

/**
 * The ways in which people write a configuration, each by the wait of the second of two jobs: of 8 GPUs and an hour on
 * two servers of 8, the second submitted a minute after the first by the same user.
 */
class WrittenConfigurationsTest {
    private static final String CONF = """
            ClusterName=c
            SelectType=select/cons_tres
            SelectTypeParameters=CR_Core_Memory
            SchedulerType=sched/backfill
            AccountingStorageEnforce=limits
            NodeName=n[1-2] CPUs=64 RealMemory=1000000 Gres=gpu:8
            PartitionName=gpu Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
            """;
    private static final String LOG = """
            JobID|User|Account|Partition|QOS|State|Submit|Start|End|Timelimit|ReqTRES|NNodes|NodeList
            1|u1|a|gpu|normal|COMPLETED|2026-03-02T08:00:00|2026-03-02T08:00:00|2026-03-02T09:00:00|01:00:00|cpu=8,gres/gpu=8,mem=10G,node=1|1|n1
            2|u1|a|gpu|normal|COMPLETED|2026-03-02T08:01:00|2026-03-02T08:01:00|2026-03-02T09:01:00|01:00:00|cpu=8,gres/gpu=8,mem=10G,node=1|1|n2
            """;
    /** Of the second job where it waits for the first, seconds on average over both. */
    private static final String WAITS = "1770";

    private static final String STARTS = "0";

    @TempDir
    private Path folder;

    private Twin twin(String conf, String log) throws IOException {
        Files.writeString(folder.resolve("slurm.conf"), conf);
        Files.writeString(folder.resolve("sacct.txt"), log);
        return Twin.of(folder, 1);
    }

    private void hasMeanWait(Twin twin, String seconds) {
        assertThat(twin.json()).containsPattern("\"twin\" : \\{\\s+\"mean\" : %s\\.".formatted(seconds));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "AccountingStorageEnforce=limits; AccountingStorageEnforce=Associations,Limits,QOS; 1770",
                "AccountingStorageEnforce=limits; AccountingStorageEnforce=SAFE; 1770",
                "AccountingStorageEnforce=limits; AccountingStorageEnforce=2; 1770",
                "AccountingStorageEnforce=limits; AccountingStorageEnforce=ALL; 1770",
                "AccountingStorageEnforce=limits; AccountingStorageEnforce=associations,qos; 0",
                "AccountingStorageEnforce=limits; AccountingStorageEnforce=nosteps; 0",
            })
    void limits_are_enforced_by_the_words_that_say_so_in_any_case(String plain, String written, String wait)
            throws IOException {
        Files.writeString(folder.resolve("qos.txt"), "Name|MaxTRESPU\nnormal|gres/gpu=8\n");

        hasMeanWait(twin(CONF.replace(plain, written), LOG), wait);
    }

    /** In an extra partition of one node that is the default only where Slurm reads the word as yes. */
    @ParameterizedTest
    @CsvSource({
        "YES,1770",
        "yes,1770",
        "True,1770",
        "UP,1770",
        "1,1770",
        "NO,0",
        "false,0",
        "Down,0",
        "0,0",
    })
    void yes_and_no_are_the_words_that_slurm_takes(String word, String wait) throws IOException {
        String conf = CONF + "PartitionName=small Nodes=n1 Default=%s\n".formatted(word);

        hasMeanWait(twin(conf, LOG.replace("|gpu|", "||")), wait);
    }

    @Test
    void another_word_for_yes_is_refused_with_its_line() {
        assertThatThrownBy(() -> twin(CONF + "PartitionName=small Nodes=n1 Default=maybe\n", LOG))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurm.conf:8, Default: 'maybe' is not valid: expected YES or NO");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Nodes=n[1-2]; Nodes=\"n1 n2\"; 0",
                "Nodes=n[1-2]; Nodes=all; 0",
                "Nodes=n[1-2]; Nodes=n2; 1770",
                "Gres=gpu:8; Gres=gpu:no_consume:8; 0",
                "Gres=gpu:8; Gres=gpu:a100:no_consume:8,lustre:no_consume:4G; 0",
                "Gres=gpu:8; GRES=GPU:A100:8(S:0-1); 0",
                "MaxTime=INFINITE; MaxTime=-1; 0",
                "MaxTime=INFINITE; MaxTime=1-0; 0",
                "Default=YES; ExclusiveUser=True; 0",
            })
    void a_line_means_what_slurm_reads_in_it(String plain, String written, String wait) throws IOException {
        hasMeanWait(twin(CONF.replace(plain, written), LOG), wait);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ExclusiveUser=True", "ExclusiveUser=1", "Exclusive=user"})
    void nodes_of_one_user_at_a_time_are_said_in_several_ways(String key) throws IOException {
        String conf = CONF.replace("n[1-2]", "n1").replace("Default=YES", key);
        String log = LOG.replace("gpu=8", "gpu=1").replace("2|u1|", "2|u2|").replace("|n2", "|n1");

        hasMeanWait(twin(conf, log), WAITS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEFAULT", "default", "Default"})
    void a_line_of_defaults_is_one_in_any_case(String name) throws IOException {
        String conf = CONF.replace(
                        "NodeName=n[1-2] CPUs=64 RealMemory=1000000 Gres=gpu:8",
                        "NodeName=%s CPUs=64 RealMemory=1000000\nNodeName=%s Gres=gpu:8\nNodeName=n[1-2]"
                                .formatted(name, name))
                .replace(
                        "PartitionName=gpu Nodes=n[1-2]",
                        "PartitionName=%s MaxTime=00:10:00\nPartitionName=gpu Nodes=n2".formatted(name));

        hasMeanWait(twin(conf, LOG), WAITS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "NodeName=n2 CPUs=8; slurm.conf:8, NodeName: 'n2' is not valid: expected a node that no line before names",
                "PartitionName=gpu Nodes=n1; slurm.conf:8, PartitionName: 'gpu' is not valid: expected a partition that no line",
            })
    void nodes_and_partitions_that_are_there_twice_are_refused_as_slurm_does(String line, String refusal) {
        assertThatThrownBy(() -> twin(CONF + line + "\n", LOG))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(refusal);
    }

    @Test
    void a_partition_that_names_no_nodes_has_none() {
        assertThatThrownBy(() -> twin(CONF.replace("Nodes=n[1-2] ", ""), LOG))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("2 jobs can never start: Resources: the partition has no nodes of this cluster");
    }

    /**
     * All CPUs of a node for each of three jobs: they wait where CPUs are shared out, and not where memory alone is.
     */
    @ParameterizedTest
    @CsvSource({"CR_Core_Memory,1770", "CR_CPU,1770", "cr_memory,0"})
    void cpus_are_held_where_they_are_shared_out(String parameters, String wait) throws IOException {
        String conf = CONF.replace("CR_Core_Memory", parameters).replace("n[1-2]", "n1");
        String log = LOG.replace("cpu=8", "cpu=64").replace("gpu=8", "gpu=1").replace("|n2", "|n1");

        hasMeanWait(twin(conf, log), wait);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "UTF-8; ''",
                "UTF-8; \ufeff",
                "UTF-16; ''",
                "UTF-16LE; \ufeff",
                "ISO-8859-1; # Sch\u00fcler",
            })
    void every_file_is_read_in_the_encoding_that_it_has(Charset charset, String begin) throws IOException {
        boolean isComment = begin.startsWith("#");
        Files.writeString(
                folder.resolve("qos.txt"),
                (isComment ? "" : begin) + "Name|MaxTRESPU\r\nnormal|gres/gpu=8\r\n",
                charset);
        Files.writeString(folder.resolve("slurm.conf"), begin + (isComment ? "\n" : "") + CONF, charset);
        Files.writeString(folder.resolve("sacct.txt"), (isComment ? "" : begin) + LOG, charset);

        hasMeanWait(Twin.of(folder, 1), WAITS);
    }

    /** The account may hold 8 GPUs at once, the user of it runs one job at a time. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Account|User|ParentName|MaxJobs\nroot|||\na||root|1\na|u1||\n",
                "Account|User|ParentName|MaxJobs\nroot|||1\na||root|\n",
                "Account|User|Par Name|GrpTRES\nroot|||\ndept||root|gres/gpu=8\na||dept|\na|u1||\n",
                "Cluster|Account|User|ParentName|MaxJobs\nother|root|||\nother|a||root|\nc|root|||\nc|a||root|1\n",
                "Cluster|Account|User|ParentName|MaxJobs\nc|root|||\nc|a||root|1\nother|root|||\nother|a||root|\n",
            })
    void limits_of_accounts_hold_for_their_users_and_their_cluster(String table) throws IOException {
        Files.writeString(folder.resolve("assoc.txt"), table);

        hasMeanWait(twin(CONF, LOG), WAITS);
    }

    @Test
    void limits_of_another_cluster_hold_not() throws IOException {
        Files.writeString(
                folder.resolve("assoc.txt"),
                "Cluster|Account|User|ParentName|MaxJobs\nc|root|||\nc|a||root|\nother|root|||\nother|a||root|1\n");

        hasMeanWait(twin(CONF, LOG), STARTS);
    }

    @Test
    void a_table_of_other_clusters_is_refused() throws IOException {
        Files.writeString(folder.resolve("assoc.txt"), "Cluster|Account\nx|root\ny|root\n");

        assertThatThrownBy(() -> twin(CONF, LOG))
                .isInstanceOf(InputException.class)
                .hasMessage(
                        "assoc.txt, Cluster: 'x, y' is not valid: expected rows of c, the ClusterName of slurm.conf");
    }

    /** The partition's QOS lets 8 GPUs run at once, and the job's lets 16. */
    @ParameterizedTest
    @CsvSource({"'',1770", "NoDecay,1770", "OverPartQOS,0", "'NoDecay,overpartqos',0"})
    void the_limits_of_a_job_come_before_those_of_its_partition_where_its_qos_says_so(String flags, String wait)
            throws IOException {
        Files.writeString(
                folder.resolve("qos.txt"),
                "Name|Flags|GrpTRES\nnormal|%s|gres/gpu=16\npart||gres/gpu=8\n".formatted(flags));

        hasMeanWait(twin(CONF.replace("State=UP", "State=UP QOS=part"), LOG), wait);
    }

    @ParameterizedTest
    @CsvSource({
        "MaxTime=00:10:00,PartitionTimeLimit",
        "MaxNodes=0,PartitionMaxNodes",
        "MinNodes=2,PartitionMinNodes",
    })
    void a_qos_may_lift_the_bounds_of_a_partition(String bound, String flag) throws IOException {
        String conf = CONF.replace("MaxTime=INFINITE", bound);
        String without = "Name|Flags\nnormal|\n";
        if (!bound.equals("MaxNodes=0")) {
            Files.writeString(folder.resolve("qos.txt"), without);
            assertThatThrownBy(() -> twin(conf, LOG)).hasMessageContaining("2 jobs can never start: Partition");
        }
        Files.writeString(folder.resolve("qos.txt"), without.replace("normal|", "normal|" + flag));

        hasMeanWait(twin(conf, LOG), STARTS);
    }

    /** Two nodes of one type each; jobs name the type as the configuration does, or in the words of the driver. */
    @ParameterizedTest
    @CsvSource({
        "gpu:a100:8,gpu:h100:8,a100,1770",
        "gpu:a100_80g:8,gpu:a100_40g:8,a100_80g,1770",
        "gpu:A100:8,gpu:h100:8,nvidia_a100-sxm4-80gb,1770",
        "gpu:nvidia_a100-sxm4-80gb:8,gpu:h100:8,nvidia_a100-sxm4-80gb,1770",
        "gpu:a100:8,gpu:a100:8,a100,0",
        "gpu:1g.10gb:8,gpu:1g.10gb:8,1g.10gb,0",
        "gpu:a100_3g.20gb:8,gpu:a100_1g.5gb:8,a100_3g.20gb,1770",
    })
    void jobs_run_on_the_type_that_they_name(String first, String second, String type, String wait) throws IOException {
        String conf = CONF.replace(
                "NodeName=n[1-2] CPUs=64 RealMemory=1000000 Gres=gpu:8",
                "NodeName=DEFAULT CPUs=64 RealMemory=1000000\nNodeName=n1 Gres=%s\nNodeName=n2 Gres=%s"
                        .formatted(first, second));
        String log = LOG.replace("gres/gpu=8", "gres/gpu=8,gres/gpu:%s=8".formatted(type));

        hasMeanWait(twin(conf, log), wait);
    }

    @Test
    void names_in_jobs_that_the_files_lack_are_said_with_the_number_of_jobs() throws IOException {
        Files.writeString(folder.resolve("qos.txt"), "Name|Priority\nnormal|0\n");
        Files.writeString(folder.resolve("assoc.txt"), "Account|User|ParentName\nroot||\nb||root\n");
        String log = LOG.replace("|a|gpu|normal|", "|a|old,gpu|ghost|").replace("node=1", "node=1,license/fluent=1");

        assertThat(twin(CONF, log).answer().console())
                .contains(
                        "  2 jobs name partitions that slurm.conf lacks (old): counted as of gpu.",
                        "  2 jobs name QOS that qos.txt lacks (ghost): without limits of a QOS.",
                        "  2 jobs name accounts that assoc.txt lacks (a): counted as right below root.",
                        "  2 jobs name licences that slurm.conf does not count (fluent): never waited for.");
    }

    @Test
    void nothing_is_said_of_names_that_are_known() throws IOException {
        Files.writeString(folder.resolve("qos.txt"), "Name|Priority\nhigh|0\n");
        Files.writeString(folder.resolve("assoc.txt"), "Account|User|ParentName\nroot||\na||root\n");
        String log = LOG.replace("node=1", "node=1,license/fluent=1");

        assertThat(twin(CONF + "Licenses=fluent:9\n", log).answer().console())
                .doesNotContain("lacks", "does not count");
    }
}
