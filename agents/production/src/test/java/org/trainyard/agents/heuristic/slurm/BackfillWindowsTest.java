package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

/**
 * The second at which a job is expected to fit, and on which nodes, at the borders of windows over ends of running
 * jobs.
 */
class BackfillWindowsTest {
    private static final String NODES = "NodeName=n[1-4] CPUs=8 Gres=gpu:4";
    private static final List<String> FOREST = List.of("SwitchName=s0 Nodes=n[1-2]", "SwitchName=s1 Nodes=n[3-4]");

    private static final List<String> TREE = List.of(FOREST.get(0), FOREST.get(1), "SwitchName=top Switches=s[0-1]");

    private SlurmState state = state(null, NODES);
    private long ids;

    private static SlurmState state(@Nullable List<String> network, String... conf) {
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", List.of(conf)), null, new SlurmCluster.Tables(null, null, network)));
    }

    private SlurmJob ask(String partition, int nodes, int gpus, int cpus) {
        return new Asked(state, ++ids)
                .in(partition)
                .nodes(nodes, gpus, cpus)
                .seconds(60)
                .at(NOW);
    }

    /** Runs a job that is expected to end after so many seconds. */
    private void run(String partition, int gpus, int cpus, long memoryMib, long end, int... on) {
        SlurmJob job = new Asked(state, ++ids)
                .in(partition)
                .nodes(on.length, gpus, cpus)
                .memoryMib(memoryMib)
                .seconds(end)
                .at(NOW);
        state.start(job, job.partition(), nodes(on), NOW);
    }

    private void run(int gpus, long end, int... on) {
        run("", gpus, 1, 0, end, on);
    }

    private String expected(SlurmJob job, int... among) {
        return expected(job, nodes(among));
    }

    private String expected(SlurmJob job, BitSet among) {
        BackfillPlan plan = new BackfillPlan(state, NOW);
        long second = plan.afterEnds(job, job.partition(), among, List.of());
        return second < 0 ? "never" : "in %d on %s".formatted(second - NOW, plan.chosen());
    }

    /**
     * Nodes 0, 1 and 2 are in use until 10, 100 and 130 s; two are wanted. The first window ends at 30 + 30 s. The next
     * ends at 30 + 120 s, or is so many seconds longer, as often as takes it to 100 s at least: an end at its border
     * belongs to it.
     */
    @ParameterizedTest
    @CsvSource({
        "bf_window_linear=0, 130",
        "bf_window_linear=40, 100",
        "bf_window_linear=45, 100",
        "bf_window_linear=69, 100",
        "bf_window_linear=70, 130"
    })
    void a_job_is_expected_at_the_last_end_of_a_window(String key, long second) {
        state = state(null, NODES, "SchedulerParameters=" + key);
        run(4, 10, 0);
        run(4, 100, 1);
        run(4, 130, 2);

        assertThat(expected(ask("", 2, 4, 1), 0, 1, 2)).isEqualTo("in %d on {0, 1}".formatted(second));
    }

    /**
     * Of the first node 2 GPUs are in use until 10 s, 2 until 500 s; the second is until 505 s. Ends of twenty jobs
     * elsewhere, the first at 450 s, lie between: the window is 480 s long then, and ends at 510 s.
     */
    @Test
    void ends_of_jobs_elsewhere_widen_the_window() {
        state = state(null, "NodeName=n[1-30] CPUs=8 Gres=gpu:4");
        run(2, 10, 0);
        for (int other = 0; other < 20; other++) {
            run(1, 450 + other, 2 + other);
        }
        run(2, 500, 0);
        run(4, 505, 1);

        assertThat(expected(ask("", 1, 4, 1), 0, 1)).isEqualTo("in 505 on {0}");
    }

    /**
     * So many jobs of a CPU fill 26 nodes, which are wanted whole; a group that ends with its 202nd job is not looked
     * at where but jobs elsewhere follow in its window. Jobs that end by 60 s, by 90 s and by 150 s are of different
     * groups.
     */
    @ParameterizedTest
    @CsvSource({
        "'', 201, 130, 125",
        "'', 202, 130, never",
        "'', 202, 150, never",
        "'', 202, 151, 125",
        "'', 202, 0, 125",
        "'', 203, 130, 125",
        "10 12, 200, 130, 124",
        "10 12, 201, 130, 125",
        "10 12, 202, 130, never",
        "10 12, 203, 130, 125",
        "10 12 70, 199, 130, 124",
        "10 12 70, 202, 130, never",
        "10 12 70, 203, 130, 125"
    })
    void a_full_group_that_nothing_follows_is_not_looked_at(String before, int count, long follows, String second) {
        state = state(null, "NodeName=n[1-28] CPUs=8 Gres=gpu:4");
        for (String end : before.isEmpty() ? new String[0] : before.split(" ", -1)) {
            run(0, Long.parseLong(end), 0);
        }
        int first = before.isEmpty() ? 0 : before.split(" ", -1).length;
        for (int job = 0; job < count; job++) {
            run(0, 100 + job / 8, (first + job) / 8);
        }
        for (int other = 0; other < 5; other++) {
            run(0, 110, 27);
        }
        if (follows > 0) {
            run(0, follows, 26);
        }
        BitSet among = new BitSet();
        among.set(0, 26);

        assertThat(expected(ask("", 26, 0, 8), among))
                .isEqualTo(second.equals("never") ? second : "in %s on %s".formatted(second, among));
    }

    /**
     * Of two switches without a common one, nodes 0 and 1 are below the first; 3 is idle, the others end one after
     * another.
     */
    @ParameterizedTest
    @CsvSource({
        "013, in 900 on {0 1}",
        "0123, in 900 on {0 1}",
        "023, in 1200 on {2 3}",
        "03, never",
        "01, in 900 on {0 1}"
    })
    void a_job_waits_until_nodes_below_one_switch_are_enough(String among, String plan) {
        state = state(FOREST, NODES, "TopologyPlugin=topology/tree");
        run(4, 300, 0);
        run(4, 900, 1);
        run(4, 1200, 2);

        assertThat(expected(
                        ask("", 2, 4, 1),
                        among.chars().map(digit -> digit - '0').toArray()))
                .isEqualTo(plan.replaceAll("(\\d) (\\d})", "$1, $2"));
    }

    /**
     * Two nodes are in use until 300 s: with {@code bf_busy_nodes} they come first, and one idle node is held even
     * where they suffice.
     */
    @ParameterizedTest
    @CsvSource({
        "defer, 2, 3, '{0, 1, 2}'",
        "bf_busy_nodes, 2, 3, '{0, 2, 3}'",
        "bf_busy_nodes, 2, 4, '{0, 1, 2, 3}'",
        "defer, 0, 2, '{0, 1}'",
        "bf_busy_nodes, 0, 2, '{0, 1, 2}'"
    })
    void with_bf_busy_nodes_a_plan_takes_nodes_in_use_first(String key, int firstInUse, int wanted, String on) {
        for (List<String> network : Arrays.<@Nullable List<String>>asList(null, TREE)) {
            state = network == null
                    ? state(null, NODES, "SchedulerParameters=" + key)
                    : state(network, NODES, "TopologyPlugin=topology/tree", "SchedulerParameters=" + key);
            run(4, 300, firstInUse, firstInUse + 1);

            assertThat(expected(ask("", wanted, 4, 1), 0, 1, 2, 3)).isEqualTo("in 300 on " + on);
        }
    }

    /** Nodes 1 and 2, in use until 300 s, have no common switch. */
    @Test
    void bf_busy_nodes_brings_no_nodes_together_that_have_no_common_switch() {
        state = state(FOREST, NODES, "TopologyPlugin=topology/tree", "SchedulerParameters=bf_busy_nodes");
        run(4, 300, 1, 2);

        assertThat(expected(ask("", 2, 4, 1), 0, 1, 2, 3)).isEqualTo("in 300 on {0, 1}");
    }

    /**
     * Of eight CPUs jobs of p, which may hold six, hold two until 60 s and two until 600 s, and one of q holds one
     * until 300 s.
     */
    @ParameterizedTest
    @CsvSource({"p, 4, 60", "p, 5, 600", "p, 6, 600", "p, 7, never", "q, 5, 60", "q, 6, 300", "q, 8, 600", "q, 9, never"
    })
    void a_plan_waits_for_the_cpus_of_its_partition_alone(String partition, int cpus, String second) {
        state = state(
                null, NODES, "PartitionName=p Nodes=ALL MaxCPUsPerNode=6 Default=YES", "PartitionName=q Nodes=ALL");
        run("p", 0, 2, 0, 60, 0);
        run("q", 0, 1, 0, 300, 0);
        run("p", 0, 2, 0, 600, 0);

        assertThat(expected(ask(partition, 1, 0, cpus), 0))
                .isEqualTo(second.equals("never") ? second : "in %s on {0}".formatted(second));
    }

    /** Two GPUs end at 60 s, and 600 of 1000 MiB with another GPU at 300 s. */
    @ParameterizedTest
    @CsvSource({"400, 60", "401, 300", "1000, 300"})
    void a_plan_waits_for_memory(long memoryMib, long second) {
        state = state(null, "NodeName=n[1-4] CPUs=8 RealMemory=1000 Gres=gpu:4");
        run("", 2, 1, 0, 60, 0);
        run("", 1, 1, 600, 300, 0);
        SlurmJob job = new Asked(state, 9).nodes(1, 2, 1).memoryMib(memoryMib).at(NOW);

        assertThat(expected(job, 0)).isEqualTo("in %d on {0}".formatted(second));
    }

    /** The first node has two GPUs, of which none becomes four when those of the second do. */
    @Test
    void ends_on_one_node_make_no_room_on_another() {
        state = state(null, "NodeName=n1 CPUs=8 Gres=gpu:2", "NodeName=n2 CPUs=8 Gres=gpu:4");
        run(2, 100, 0);
        run(4, 300, 1);

        assertThat(expected(ask("", 1, 4, 1), 0, 1)).isEqualTo("in 300 on {1}");
        List<SlurmJob> all = new ArrayList<>(state.running());
        assertThat(new BackfillPlan(state, NOW).afterEnds(all.get(0), all.get(0).partition(), nodes(), List.of()))
                .isEqualTo(-1);
    }
}
