package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.env.workload.Segments;

/** What can never start is what does not on the empty cluster, and the reason is Slurm's. */
class NeverStartingTest {
    private static final String QOS = "Name|GrpTRES|MaxTRESPU|MaxJobsPU|MaxTRESPA|MaxTRES|MaxWall";

    private static SlurmState state(List<String> conf, List<String> qos, List<String> assoc, List<String> network) {
        List<String> lines = new ArrayList<>(List.of("AccountingStorageEnforce=limits,qos"));
        lines.addAll(conf);
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", lines),
                null,
                new SlurmCluster.Tables(qos, assoc, network.isEmpty() ? null : network)));
    }

    private static SlurmJob.Request request(
            SlurmState state, int nodes, int gpus, int cpus, int minutes, String qos, Map<String, Integer> licenses) {
        return new Asked(state, 1)
                .in("p")
                .qos(qos)
                .nodes(nodes, gpus, cpus)
                .seconds(minutes * 60L)
                .licenses(licenses)
                .request();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "MaxTime=59; ; ; PartitionTimeLimit",
                "MaxTime=60; ; ; ",
                "MaxNodes=1; ; ; PartitionNodeLimit",
                "MaxNodes=2; ; ; ",
                "MaxCPUsPerNode=3; ; ; Resources: MaxCPUsPerNode of the partition",
                "AllowAccounts=a,b; ; ; AccountNotAllowed",
                "AllowAccounts=A,Lab; ; ; ",
                "DenyAccounts=lab; ; ; AccountNotAllowed",
                "AllowQos=high; ; ; QOSNotAllowed",
                "DenyQos=normal; ; ; QOSNotAllowed",
                "State=DOWN; ; ; PartitionDown",
                "QOS=part; part|||||| 59; ; QOSMaxWallDurationPerJobLimit",
                "QOS=part; part|||||| 60; ; ",
                "; normal||||||00:59:00; ; QOSMaxWallDurationPerJobLimit",
                "; normal||gres/gpu=3||||; ; QOSMaxTRESPerUser: the most of a user's jobs of its QOS",
                "; normal||||gres/gpu=3||; ; QOSMaxTRESPerAccount: the most of an account's jobs of its QOS",
                "; normal|gres/gpu=3|||||; ; QOSGrpTRES: the most of all jobs of its QOS",
                "; normal|||||cpu=7|; ; QOSMaxTRES: the most of a job of its QOS",
                "; normal|||0|||; ; QOSMaxTRESPerUser: the most of a user's jobs of its QOS",
                "; ; lab|||||gres/gpu=3|; a limit of its association (AssocGrp..., AssocMax...)",
                "; ; lab|ann|00:30:00||||; AssocMaxWallDurationPerJobLimit",
            })
    void each_limit_has_its_reason(String partition, String qos, String assoc, String reason) {
        List<String> table = new ArrayList<>(List.of(QOS));
        table.add(qos == null || !qos.startsWith("normal") ? "normal||||||" : qos);
        table.addAll(qos == null || qos.startsWith("normal") ? List.of() : List.of(qos));
        List<String> associations = new ArrayList<>(List.of("Account|User|MaxWall|MaxTRES|MaxJobs|GrpTRES|GrpJobs"));
        associations.addAll(List.of("root||||||", assoc == null || !assoc.startsWith("lab||") ? "lab||||||" : assoc));
        associations.add(assoc == null || !assoc.startsWith("lab|ann") ? "lab|ann|||||" : assoc);
        SlurmState state = state(
                List.of(
                        "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                        "PartitionName=p Nodes=ALL " + (partition == null ? "" : partition)),
                table,
                associations,
                List.of());

        String found = state.refusal(request(state, 2, 2, 4, 60, "normal", Map.of()), "lab");

        assertThat(found).isEqualTo(reason == null ? null : reason + " (partition p)");
        assertStartsUnless(state, request(state, 2, 2, 4, 60, "normal", Map.of()), "lab", found != null);
    }

    /** Two nodes of four GPUs, blocks of one each, and two licences m; a licence that is not counted is never short. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "p; 2; 4; 1; m; 2; -",
                "p; 2; 4; 1; m; 3; Licenses: 3 of m, of which there are 2",
                "p; 2; 4; 1; other; 9; -",
                "p; 2; 5; 8; m; 1; Resources: 2 nodes of 5 GPUs and 8 CPUs, and only 0 in service (partition p)",
                "p; 1; 0; 9; m; 1; Resources: 1 node of 9 CPUs, and only 0 in service (partition p)",
                "p; 3; 4; 1; m; 1; Resources: 3 nodes of 4 GPUs and 1 CPU, and only 2 in service (partition p)",
                "none; 1; 1; 1; m; 1; Resources: the partition has no nodes of this cluster (partition none)"
            })
    void nodes_and_licences_that_the_cluster_lacks_have_their_words(
            String partition, int nodes, int gpus, int cpus, String license, int count, @Nullable String reason) {
        SlurmState state = state(
                List.of(
                        "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                        "NodeName=n3 State=FUTURE",
                        "Licenses=m:2",
                        "PartitionName=p Nodes=n[1-2]",
                        "PartitionName=none Nodes=n3"),
                List.of(QOS, "normal||||||"),
                List.of("Account|User", "root|"),
                List.of());
        SlurmJob.Request request = new Asked(state, 1)
                .in(partition)
                .nodes(nodes, gpus, cpus)
                .licenses(Map.of(license, count))
                .request();

        assertThat(state.refusal(request, null)).isEqualTo(reason);
        assertStartsUnless(state, request, "lab", reason != null);
    }

    /** Of two pairs of nodes below switches without a common one, or blocks. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "SwitchName=s; tree; 2; 0; -",
                "SwitchName=s; tree; 3; 0; Resources: no switch has 3 such nodes below it (partition p)",
                "BlockName=b; block; 3; 0; -",
                "BlockName=b; block; 4; 2; -",
                "BlockName=b; block; 3; 2; Resources: blocks have no 3 such nodes for --segment=2 (partition p)"
            })
    void switches_and_blocks_that_are_too_small_have_their_words(
            String name, String plugin, int nodes, int segment, @Nullable String reason) {
        SlurmState state = state(
                List.of(
                        "NodeName=n[1-4] CPUs=8 Gres=gpu:4",
                        "TopologyPlugin=topology/" + plugin,
                        "PartitionName=p Nodes=ALL"),
                List.of(QOS, "normal||||||"),
                List.of("Account|User", "root|"),
                List.of(name + "0 Nodes=n[1-2]", name + "1 Nodes=n[3-4]"));
        SlurmJob.Request request = new Asked(state, 1)
                .in("p")
                .nodes(nodes, 1, 1)
                .segments(segment == 0 ? null : new Segments(segment, false))
                .request();

        assertThat(state.refusal(request, null)).isEqualTo(reason);
    }

    private static void assertStartsUnless(SlurmState state, SlurmJob.Request request, String account, boolean never) {
        SlurmJob job = state.submit(request, account, null, NOW - 10);

        new MainCycle(state, new SlurmCases.Notes()).run(NOW, true);

        assertThat(job.state() == SlurmJob.State.RUNNING).isEqualTo(!never);
    }

    /** Random clusters with every kind of limit, against a run of the main loop on the empty cluster. */
    @Test
    void a_job_is_found_to_never_start_just_when_the_empty_cluster_does_not_start_it() {
        Set<String> reasons = new HashSet<>();
        int starts = 0;
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            List<String> conf = List.of(
                    "Licenses=m:" + (1 + random.nextInt(2)),
                    "NodeName=n[1-3] CPUs=8 Gres=gpu:4 State="
                            + one(random, "UNKNOWN", "UNKNOWN", "DOWN", "DRAIN", "IDLE"),
                    "NodeName=n[4-6] CPUs=%d Gres=gpu:h100:2".formatted(4 + random.nextInt(8)),
                    "NodeName=n7 State=FUTURE Gres=gpu:8",
                    "TopologyPlugin=" + one(random, "topology/none", "topology/tree"),
                    "PartitionName=p Nodes=n[%d-7]%s%s%s%s"
                            .formatted(
                                    1 + random.nextInt(3),
                                    one(random, "", " MaxTime=60", " MaxTime=2:00:00"),
                                    one(random, "", " MaxNodes=" + (1 + random.nextInt(4))),
                                    one(random, "", " MaxCPUsPerNode=" + (1 + random.nextInt(8))),
                                    one(random, "", "", " AllowAccounts=lab", " DenyAccounts=lab", " AllowQos=high")));
            List<String> qos = List.of(
                    QOS,
                    "normal|%s|%s|||%s|%s"
                            .formatted(
                                    one(random, "", "gres/gpu=" + random.nextInt(12)),
                                    one(random, "", "node=" + (1 + random.nextInt(4))),
                                    one(random, "", "cpu=" + random.nextInt(30)),
                                    one(random, "", "01:00:00", "1-0")),
                    "high||||||");
            SlurmState state = state(
                    conf,
                    qos,
                    List.of("Account|User|GrpTRES|GrpJobs|MaxTRES|MaxJobs|MaxWall", "root||||||", "lab||||||"),
                    List.of("SwitchName=s0 Nodes=n[1-3]", "SwitchName=s1 Nodes=n[4-7]"));
            SlurmJob.Request request = request(
                    state,
                    1 + random.nextInt(4),
                    random.nextInt(5),
                    1 + random.nextInt(8),
                    30 + random.nextInt(120),
                    one(random, "normal", "high"),
                    random.nextInt(4) == 0 ? Map.of("m", 1 + random.nextInt(2)) : Map.of());

            String reason = state.refusal(request, "lab");

            reasons.add(reason == null ? "" : reason.replaceAll("[\\d:(].*", ""));
            starts += reason == null ? 1 : 0;
            assertStartsUnless(state, request, "lab", reason != null);
        }
        assertThat(starts).isBetween(300, 2700);
        assertThat(reasons).hasSizeGreaterThan(8);
    }

    private static String one(Random random, String... words) {
        return words[random.nextInt(words.length)];
    }

    @Test
    void jobs_of_a_partition_share_its_cpus_of_a_node() {
        SlurmState state = state(
                List.of(
                        "SchedulerParameters=bf_interval=1",
                        "NodeName=n1 CPUs=64 Gres=gpu:8",
                        "PartitionName=p Nodes=n1 Default=YES MaxCPUsPerNode=16",
                        "PartitionName=q Nodes=n1"),
                List.of(QOS, "normal||||||"),
                List.of("Account|User", "root|"),
                List.of());
        SlurmCases.Notes decisions = new SlurmCases.Notes();
        SlurmJob first = state.submit(request(state, 1, 1, 12, 60, "normal", Map.of()), null, null, NOW - 10);
        SlurmJob second = state.submit(request(state, 1, 1, 8, 60, "normal", Map.of()), null, null, NOW - 9);
        MainCycle main = new MainCycle(state, decisions);

        main.run(NOW, true);
        new BackfillCycle(state, decisions, main).run(NOW);

        assertThat(first.state()).isEqualTo(SlurmJob.State.RUNNING);
        assertThat(second.state()).isEqualTo(SlurmJob.State.PENDING);
        assertThat(decisions.lines()).anyMatch(line -> line.startsWith("plan 1 in 3600 on {0}"));

        state.end(first);
        main.run(NOW + 1, true);
        assertThat(second.state()).isEqualTo(SlurmJob.State.RUNNING);
    }

    @Test
    void nodes_out_of_service_take_no_job_and_those_to_come_are_none() {
        SlurmState state = state(
                List.of(
                        "NodeName=n[1-4] CPUs=8 Gres=gpu:4 Feature=a100",
                        "NodeName=n5 State=FUTURE CPUs=8",
                        "DownNodes=n2 State=DOWN Reason=fan",
                        "NodeSet=fast Feature=a100",
                        "NodeSet=two Nodes=n[1-2]",
                        "PartitionName=p Nodes=fast,n5",
                        "PartitionName=r Nodes=two"),
                List.of(QOS, "normal||||||"),
                List.of("Account|User", "root|"),
                List.of());

        assertThat(state.cluster().nodes()).hasSize(4);
        assertThat(state.cluster().partition("p").nodes()).isEqualTo(nodes(0, 1, 2, 3));
        assertThat(state.cluster().partition("r").nodes()).isEqualTo(nodes(0, 1));
        assertThat(state.refusal(request(state, 3, 4, 1, 60, "normal", Map.of()), null))
                .isNull();
        assertThat(Objects.requireNonNull(state.refusal(request(state, 4, 4, 1, 60, "normal", Map.of()), null)))
                .isEqualTo("Resources: 4 nodes of 4 GPUs and 1 CPU, and only 3 in service (partition p)");
    }
}
