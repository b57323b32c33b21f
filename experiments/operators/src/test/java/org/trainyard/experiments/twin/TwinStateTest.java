package org.trainyard.experiments.twin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.SlurmJob;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

class TwinStateTest {
    /** Accounting rounds to seconds, so that one second later is at once. */
    @ParameterizedTest
    @CsvSource({"08:00:00, 0", "08:00:01, 0", "08:00:02, 2", "08:15:00, 900", "09:00:00, 3600"})
    void a_job_begins_when_it_became_eligible(String eligible, long secondsLater) {
        SlurmCluster cluster = SlurmCluster.of(
                SlurmConf.parse(
                        "slurm.conf",
                        List.of("NodeName=n1 CPUs=64 Gres=gpu:8", "PartitionName=p Nodes=n1 Default=YES MaxTime=60")),
                null,
                null,
                null);
        RecordedJobs recorded = RecordedJobs.of(
                List.of(
                        "JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Timelimit|ReqTRES|NNodes",
                        "7|u|a|p|normal|PENDING|2026-03-02T08:00:00|2026-03-02T" + eligible
                                + "|Unknown|Unknown|10:00|cpu=8,gres/gpu=8|1"),
                null,
                null,
                node -> 64);
        long submitted = recorded.jobs().values().iterator().next().submitSecond();

        SlurmJob job = new TwinState(cluster, recorded).submit(7, submitted).get(0);

        assertThat(job.beginSecond() - submitted).isEqualTo(secondsLater);
    }

    private static TwinState state(String nodes, String... rows) {
        SlurmCluster cluster = SlurmCluster.of(
                SlurmConf.parse(
                        "slurm.conf",
                        List.of(
                                nodes.split(";", -1)[0],
                                nodes.split(";", -1)[1],
                                "PartitionName=p Nodes=n[1-2] Default=YES MaxTime=60")),
                null,
                null,
                null);
        List<String> lines = new ArrayList<>(List.of(
                "JobID|User|Account|Partition|QOS|State|Submit|Start|End|Timelimit|ReqTRES|NNodes|Constraints"));
        lines.addAll(List.of(rows));
        return new TwinState(cluster, RecordedJobs.of(lines, null, null, node -> 64));
    }

    private static String row(String id, String tres, String features) {
        return "%s|u|a|p|normal|PENDING|2026-03-02T08:00:00|Unknown|Unknown|10:00|%s|1|%s"
                .formatted(id, tres, features);
    }

    /** By features or types of GPUs that the configuration says of some node; where it says none, any node suits. */
    @ParameterizedTest
    @CsvSource({
        "NodeName=n1 CPUs=64 Gres=gpu:8 Feature=old;NodeName=n2 CPUs=64 Gres=gpu:8 Feature=new, gres/gpu=8, new, 1",
        "NodeName=n1 CPUs=64 Gres=gpu:8 Feature=old;NodeName=n2 CPUs=64 Gres=gpu:8, gres/gpu=8, old, 0",
        "NodeName=n1 CPUs=64 Gres=gpu:8;NodeName=n2 CPUs=64 Gres=gpu:8, gres/gpu=8, new, 0",
        "NodeName=n1 CPUs=64 Gres=gpu:8;NodeName=n2 CPUs=64 Gres=gpu:8 Feature=new, gres/gpu=8, '', 0",
        "NodeName=n1 CPUs=64 Gres=gpu:a100:8;NodeName=n2 CPUs=64 Gres=gpu:h100:8, 'gres/gpu=8,gres/gpu:h100=8', '', 1",
    })
    void a_job_starts_on_nodes_of_its_features_and_types(String nodes, String tres, String features, int node) {
        TwinState state = state(nodes, row("7", "cpu=8," + tres, features));

        SlurmJob job = state.submit(7, 0).get(0);

        assertThat(state.state.choice(job, 0)).isEqualTo(BitSet.valueOf(new long[] {1L << node}));
    }

    @Test
    void a_job_is_known_by_its_number_and_its_tasks_by_theirs() {
        String node = "NodeName=n1 CPUs=64 Gres=gpu:8;NodeName=n2 CPUs=64 Gres=gpu:8";
        TwinState state = state(node, row("7", "gres/gpu=1", ""), row("51_[2-3]", "gres/gpu=1", ""));
        SlurmJob job = state.submit(7, 0).get(0);
        List<SlurmJob> tasks = state.submit(51, 0);

        assertThat(state.submit(99, 0)).isEmpty();
        assertThat(state.job("7")).isSameAs(job);
        assertThat(state.name(job)).isEqualTo("7");
        assertThat(state.named("7")).containsExactly(job);
        assertThat(tasks).hasSize(2);
        assertThat(state.named("51_*")).isEqualTo(tasks);
        assertThat(state.named("51")).isEqualTo(tasks);
        assertThat(state.named("51_3")).containsExactly(tasks.get(1));
        assertThat(state.name(tasks.get(1))).isEqualTo("51_3");
        assertThat(state.named("99")).isEmpty();
        assertThat(state.job("51")).isNull();
        assertThat(state.nodes(List.of("n2", "n9"))).isEqualTo(BitSet.valueOf(new long[] {2}));
        assertThat(state.refusal(99)).isNull();
        assertThat(state.refusal(7)).isNull();
    }
}
