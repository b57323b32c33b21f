package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

/** What jobs ask for beside GPUs, on two nodes of four A100 (0, 1), which weigh more, and two of two V100 (2, 3). */
class SlurmRequestsTest {
    private final SlurmCases.Notes notes = new SlurmCases.Notes();
    private SlurmState state = state("", "PriorityType=priority/basic");
    private String user = "ann";
    private long next;

    private static SlurmState state(String parameters, String... more) {
        List<String> conf = new ArrayList<>(List.of(
                "SelectTypeParameters=CR_Core_Memory",
                "NodeName=n[1-2] CPUs=8 RealMemory=1000 Gres=gpu:a100:4 Weight=10",
                "NodeName=n[3-4] CPUs=8 RealMemory=1000 Gres=gpu:v100:2",
                "PartitionName=gpu Nodes=ALL Default=YES PriorityJobFactor=2",
                "PartitionName=fast Nodes=n[1-2] PriorityTier=5 PriorityJobFactor=10"));
        if (!parameters.isEmpty()) {
            conf.add("SchedulerParameters=" + parameters);
        }
        conf.addAll(List.of(more));
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", conf),
                null,
                List.of("Name|Priority|Preempt", "normal|0|", "high|9|normal"),
                null));
    }

    /** A request of a minute; the sets are nodes, or null. */
    private SlurmJob ask(
            String partitions,
            String qos,
            int nodes,
            int gpus,
            int cpus,
            long memoryMib,
            @Nullable BitSet featured,
            @Nullable BitSet typed) {
        next++;
        SlurmJob job = new Asked(state, next)
                .by(user)
                .in(partitions)
                .qos(qos)
                .nodes(nodes, gpus, cpus)
                .seconds(60)
                .memoryMib(memoryMib)
                .on(featured, typed)
                .at(NOW - 100 + next);
        state.prioritise(job, 1000 - next);
        return job;
    }

    private SlurmJob ask(String partition, int nodes, int gpus) {
        return ask(partition, "normal", nodes, gpus, 1, 0, null, null);
    }

    private List<String> runMain() {
        notes.lines().clear();
        new MainCycle(state, notes).run(NOW, true);
        return notes.lines();
    }

    @Test
    void memory_types_and_features_decide_which_nodes_do() {
        ask("fast", "normal", 1, 1, 1, 600, null, null);
        ask("fast", "normal", 1, 1, 1, 600, null, null);
        ask("gpu", "normal", 1, 1, 1, 0, null, SlurmCases.nodes(0, 1));
        ask("gpu", "normal", 1, 1, 1, 0, SlurmCases.nodes(3), null);
        ask("gpu", "normal", 1, 1, 1, 900, null, null);

        assertThat(runMain())
                .containsExactly(
                        "start 1 on {0}", "start 2 on {1}", "start 3 on {0}", "start 4 on {3}", "start 5 on {2}");
    }

    @Test
    void a_plan_waits_for_memory_and_for_the_type() {
        SlurmJob first = ask("gpu", "normal", 1, 1, 1, 900, null, SlurmCases.nodes(0));
        state.start(first, first.partition(), SlurmCases.nodes(0), NOW);
        ask("gpu", "normal", 1, 1, 1, 200, null, SlurmCases.nodes(0));
        MainCycle main = new MainCycle(state, notes);

        new BackfillCycle(state, notes, main).run(NOW + 1);

        assertThat(notes.lines()).containsExactly("plan 2 in 60 on {0}");
    }

    @Test
    void a_job_that_its_partition_can_never_run_is_passed_over() {
        ask("fast", 3, 1);
        ask("fast", 1, 1);

        assertThat(runMain()).containsExactly("start 2 on {0}");
    }

    @Test
    void a_job_that_would_not_fit_on_what_is_left_closes_no_partition() {
        SlurmJob first = ask("fast", 1, 4);
        state.start(first, first.partition(), SlurmCases.nodes(0), NOW);
        ask("fast", 2, 4);
        ask("gpu", 2, 4);
        ask("gpu", 1, 1);

        assertThat(runMain()).containsExactly("start 4 on {2}");
    }

    @Test
    void a_job_without_gpus_takes_the_node_with_the_fewest_free_cpus() {
        SlurmJob first = ask("fast", "normal", 1, 1, 3, 0, null, null);
        state.start(first, first.partition(), SlurmCases.nodes(1), NOW);
        ask("fast", "normal", 1, 0, 2, 0, null, null);
        ask("fast", "normal", 1, 0, 4, 0, null, null);

        assertThat(runMain()).containsExactly("start 2 on {1}", "start 3 on {0}");
    }

    @Test
    void with_bf_busy_nodes_a_plan_takes_nodes_in_use_and_one_that_is_idle() {
        FreeNodes free = new FreeNodes(state.cluster());

        assertThat(free.chooseBusy(SlurmCases.nodes(0, 1, 2), 1, SlurmCases.nodes(0, 2)))
                .hasToString("{2}");
        assertThat(free.chooseBusy(SlurmCases.nodes(0, 1), 1, SlurmCases.nodes(0)))
                .hasToString("{0, 1}");
        assertThat(free.chooseBusy(SlurmCases.nodes(0, 1), 1, SlurmCases.nodes()))
                .hasToString("{0}");
        assertThat(free.chooseBusy(SlurmCases.nodes(0, 1), 3, SlurmCases.nodes()))
                .isNull();
        assertThat(state("bf_busy_nodes", "PriorityType=priority/basic")
                        .cluster()
                        .parameters()
                        .busyNodes())
                .isTrue();
    }

    @Test
    void a_partition_gives_nodes_to_one_user_at_a_time_and_takes_jobs_of_enough_nodes() {
        state = state("", "PriorityType=priority/basic", "PartitionName=own Nodes=ALL ExclusiveUser=YES MinNodes=2");
        ask("gpu", 1, 1);
        user = "eve";
        ask("own", 1, 1);
        ask("own", 2, 1);
        user = "ann";
        ask("gpu", 1, 1);
        ask("gpu", "normal", 1, 1, 1, 0, SlurmCases.nodes(0, 3), null);

        assertThat(runMain()).containsExactly("start 1 on {2}", "start 3 on {0, 3}", "start 4 on {2}");
        assertThat(state.refusal(state.pending().iterator().next().request(), null))
                .isEqualTo("PartitionNodeLimit (partition own)");
    }

    @Test
    void a_job_in_several_partitions_has_a_priority_in_each() {
        state = state("", "PriorityType=priority/multifactor", "PriorityWeightPartition=1000");
        SlurmJob job = ask("fast,gpu", "normal", 1, 1, 1, 0, null, null);
        JobPriority priorities = new JobPriority(state, NOW);

        assertThat(priorities.initial(job, NOW)).containsExactly(1000, 200);
        assertThat(priorities.now(job, NOW)).isEqualTo(1000);
    }

    @Test
    void a_job_is_exempt_from_preemption_for_as_long_as_slurm_conf_says() {
        for (String exempt : List.of("00:00:30", "00:00:10")) {
            state = state(
                    "",
                    "PriorityType=priority/basic",
                    "PreemptType=preempt/qos",
                    "PreemptMode=REQUEUE",
                    "PreemptExemptTime=" + exempt);
            next = 0;
            SlurmJob first = ask("gpu", "normal", 4, 2, 1, 0, null, null);
            state.start(first, first.partition(), SlurmCases.nodes(0, 1, 2, 3), NOW - 20);
            ask("gpu", "high", 4, 2, 8, 0, null, null);

            assertThat(runMain())
                    .containsExactly(exempt.endsWith("30") ? new String[0] : new String[] {"2 preempts 1"});
        }
    }
}
