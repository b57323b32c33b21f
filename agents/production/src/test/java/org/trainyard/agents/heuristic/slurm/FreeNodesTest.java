package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

/**
 * Free parts of two nodes of 4 GPUs, 8 CPUs and 1000 MiB, of which one partition's jobs may hold 6 CPUs each, for one
 * user.
 */
class FreeNodesTest {
    private final SlurmState state = new SlurmState(SlurmCluster.of(
            SlurmConf.parse(
                    "slurm.conf",
                    List.of(
                            "NodeName=n[1-2] CPUs=8 RealMemory=1000 Gres=gpu:4",
                            "PartitionName=p Nodes=ALL MaxCPUsPerNode=6 ExclusiveUser=YES",
                            "PartitionName=q Nodes=ALL")),
            null,
            null,
            null));

    private SlurmJob ask(String user, String partition, int gpus, int cpus, long memoryMib, boolean exclusive) {
        return new Asked(state, 1)
                .by(user)
                .in(partition)
                .nodes(1, gpus, cpus)
                .seconds(60)
                .alone(exclusive)
                .memoryMib(memoryMib)
                .at(NOW);
    }

    private static String on(FreeNodes free, int node) {
        return "%d GPUs, %d CPUs, %d MiB, %d CPUs of p, idle: %s"
                .formatted(
                        free.gpus[node],
                        free.cpus[node],
                        free.memory[node],
                        free.leftTo(0, node),
                        free.idle().get(node));
    }

    /** Ann's job holds 3 GPUs, 2 CPUs and 400 MiB of the first node. */
    @Test
    void what_is_tried_on_a_copy_changes_nothing_here() {
        SlurmJob job = ask("ann", "p", 3, 2, 400, false);
        state.start(job, job.partition(), nodes(0), NOW);
        FreeNodes here = state.free;

        FreeNodes copy = here.copy();
        SlurmJob apart = ask("bob", "q", 1, 1, 0, false);
        assertThat(copy.usable(apart, apart.partition(), nodes(0, 1))).isEqualTo(nodes(1));
        copy.change(job, 1);

        assertThat(on(here, 0)).isEqualTo("1 GPUs, 6 CPUs, 600 MiB, 4 CPUs of p, idle: false");
        assertThat(on(copy, 0)).isEqualTo("4 GPUs, 8 CPUs, 1000 MiB, 6 CPUs of p, idle: true");
        assertThat(on(here, 1)).isEqualTo("4 GPUs, 8 CPUs, 1000 MiB, 6 CPUs of p, idle: true");
        SlurmJob bobs = ask("bob", "q", 1, 1, 0, false);
        SlurmJob wide = ask("ann", "q", 2, 1, 0, false);
        BitSet both = nodes(0, 1);
        for (SlurmJob one : List.of(bobs, wide)) {
            assertThat(here.usable(one, one.partition(), both)).isEqualTo(nodes(1));
            assertThat(copy.usable(one, one.partition(), both)).isEqualTo(both);
        }
        copy.change(job, -1);
        here.change(job, 1);
        assertThat(on(copy, 0)).isEqualTo("1 GPUs, 6 CPUs, 600 MiB, 4 CPUs of p, idle: false");
        assertThat(on(here, 0)).isEqualTo("4 GPUs, 8 CPUs, 1000 MiB, 6 CPUs of p, idle: true");
    }

    /** Beside Ann's job there are a GPU, 6 CPUs, of which 4 for jobs of p, and 600 MiB. */
    @ParameterizedTest
    @CsvSource({
        "ann, q, 1, 6, 600, false, true",
        "ann, q, 2, 1, 0, false, false",
        "ann, q, 1, 7, 0, false, false",
        "ann, q, 1, 1, 601, false, false",
        "ann, q, 1, 1, 0, true, false",
        "ann, p, 1, 4, 0, false, true",
        "ann, p, 1, 5, 0, false, false",
        "bob, p, 1, 1, 0, false, false",
        "bob, q, 1, 1, 0, false, false"
    })
    void a_job_fits_beside_another_where_all_that_it_asks_for_is_free(
            String user, String partition, int gpus, int cpus, long memoryMib, boolean exclusive, boolean fits) {
        SlurmJob job = ask("ann", "p", 3, 2, 400, false);
        state.start(job, job.partition(), nodes(0), NOW);
        SlurmJob next = ask(user, partition, gpus, cpus, memoryMib, exclusive);

        assertThat(state.free.usable(next, next.partition(), nodes(0))).isEqualTo(fits ? nodes(0) : nodes());
    }

    /**
     * A partition that is for one user at a time takes no node with jobs of others; those of the other partition may
     * meet.
     */
    @ParameterizedTest
    @CsvSource({"p, p, ann, true", "p, p, bob, false", "p, q, bob, false", "q, p, bob, false", "q, q, bob, true"})
    void a_partition_may_keep_users_apart(String first, String second, String user, boolean fits) {
        SlurmJob job = ask("ann", first, 1, 1, 0, false);
        state.start(job, job.partition(), nodes(0), NOW);
        SlurmJob next = ask(user, second, 1, 1, 0, false);

        assertThat(state.free.usable(next, next.partition(), nodes(0))).isEqualTo(fits ? nodes(0) : nodes());
        state.end(job);
        assertThat(state.free.usable(next, next.partition(), nodes(0))).isEqualTo(nodes(0));
    }

    /** Ann's two jobs end one after another. */
    @Test
    void a_user_is_on_a_node_until_the_last_job_there_ends() {
        SlurmJob first = ask("ann", "p", 1, 1, 0, false);
        SlurmJob second = ask("ann", "p", 1, 1, 0, false);
        SlurmJob next = ask("bob", "p", 1, 1, 0, false);
        state.start(first, first.partition(), nodes(0), NOW);
        state.start(second, second.partition(), nodes(0), NOW);

        state.end(first);
        assertThat(state.free.usable(next, next.partition(), nodes(0, 1))).isEqualTo(nodes(1));
        state.end(second);

        assertThat(state.free.usable(next, next.partition(), nodes(0, 1))).isEqualTo(nodes(0, 1));
    }

    /** It holds all GPUs, CPUs and memory of its node, and gives all back. */
    @Test
    void a_job_that_shares_no_node_holds_all_of_it() {
        SlurmJob job = ask("ann", "q", 1, 1, 100, true);
        state.start(job, job.partition(), nodes(1), NOW);

        assertThat(on(state.free, 1)).isEqualTo("0 GPUs, 0 CPUs, 0 MiB, 6 CPUs of p, idle: false");
        state.end(job);
        assertThat(on(state.free, 1)).isEqualTo("4 GPUs, 8 CPUs, 1000 MiB, 6 CPUs of p, idle: true");
    }
}
