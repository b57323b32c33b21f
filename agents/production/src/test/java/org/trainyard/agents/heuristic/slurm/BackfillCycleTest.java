package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;

/**
 * Cycles over one queue, with each key that bounds them, and plans beside reservations, features and nodes being
 * cleaned.
 */
class BackfillCycleTest {
    private final SlurmCases.Notes listener = new SlurmCases.Notes();
    private SlurmState state = state("bf_resolution=1");

    private static SlurmState state(String parameters, String... lines) {
        List<String> conf = new ArrayList<>(List.of(
                "NodeName=n[1-4] CPUs=8 Gres=gpu:4",
                "PartitionName=p Nodes=ALL Default=YES",
                "PartitionName=q Nodes=n[3-4]",
                "PartitionName=r Nodes=n[1-2] MaxNodes=1",
                "SchedulerParameters=" + parameters));
        conf.addAll(List.of(lines));
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", conf),
                null,
                List.of("Name|Priority|Preempt|Flags", "normal|0||", "high|9|normal|", "brief|0||NoReserve"),
                null));
    }

    private SlurmJob submit(
            long id,
            String user,
            String partitions,
            String qos,
            int nodes,
            int gpus,
            long seconds,
            @Nullable SlurmArray array,
            @Nullable BitSet featured) {
        SlurmJob.Request request = new Asked(state, id)
                .task(array)
                .by(user)
                .in(partitions.replace(' ', ','))
                .qos(qos)
                .nodes(nodes, gpus, 1)
                .seconds(seconds)
                .on(featured, null)
                .request();
        SlurmJob job = state.submit(request, null, array, NOW - 1000 + id);
        state.prioritise(job, 100 - id);
        return job;
    }

    private SlurmJob submit(long id, int nodes, int gpus, long seconds) {
        return submit(id, "ann", "p", "normal", nodes, gpus, seconds, null, null);
    }

    private void run(SlurmJob job, int... on) {
        state.start(job, state.cluster().partition("p"), nodes(on), NOW);
    }

    private List<String> cycle() {
        new BackfillCycle(state, listener, new MainCycle(state, listener)).run(NOW);
        return listener.lines();
    }

    /**
     * Job 1 holds three nodes for 300 s. Ann's 2 wants all nodes for 300 s, three tasks of her array 3 one GPU each for
     * 600 s; bob's 4 and 5 one GPU for 240 s, which is in time; his 5 and 6 are in the partition of two nodes, and 6
     * takes too long.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bf_resolution=1 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, plan 3_0 in 600 on {0}, plan 3_0 in 600 on {1}, backfill 4 on {3}, backfill 5 on {3}, plan 6 in 600 on {2}",
                "bf_max_job_test=2 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}",
                "bf_max_job_test=4 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, plan 3_0 in 600 on {0}, plan 3_0 in 600 on {1}",
                "bf_max_job_start=1 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, plan 3_0 in 600 on {0}, plan 3_0 in 600 on {1}, backfill 4 on {3}",
                "bf_max_job_user=1 | plan 2 in 300 on {0, 1, 2, 3}, backfill 4 on {3}",
                "bf_max_job_user=2 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, backfill 4 on {3}, backfill 5 on {3}",
                "bf_max_job_part=1 | plan 2 in 300 on {0, 1, 2, 3}, backfill 5 on {3}",
                "bf_max_job_array_resv=1 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, backfill 4 on {3}, backfill 5 on {3}, plan 6 in 600 on {2}",
                "bf_max_job_array_resv=2 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, plan 3_0 in 600 on {0}, backfill 4 on {3}, backfill 5 on {3}, plan 6 in 600 on {2}",
                "bf_job_part_count_reserve=1 | plan 2 in 300 on {0, 1, 2, 3}, backfill 4 on {3}, backfill 5 on {3}, plan 6 in 600 on {3}",
                "bf_min_prio_reserve=97 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, plan 3_0 in 600 on {0}, plan 3_0 in 600 on {1}, backfill 4 on {3}, backfill 5 on {3}",
                "bf_min_prio_reserve=98 | plan 2 in 300 on {0, 1, 2, 3}, backfill 4 on {3}, backfill 5 on {3}",
                "bf_min_age_reserve=997 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, plan 3_0 in 600 on {0}, plan 3_0 in 600 on {1}, backfill 4 on {3}, backfill 5 on {3}",
                "bf_min_age_reserve=998 | plan 2 in 300 on {0, 1, 2, 3}, backfill 4 on {3}, backfill 5 on {3}",
                "bf_window=10 | plan 2 in 300 on {0, 1, 2, 3}, backfill 4 on {3}, backfill 5 on {3}",
                "bf_window=5,bf_job_part_count_reserve=1 | plan 2 in 300 on {0, 1, 2, 3}, backfill 3_0 on {3}, backfill 3_1 on {3}, backfill 3_2 on {3}, backfill 4 on {3}, plan 5 in 300 on {2}",
                "bf_window=4,bf_job_part_count_reserve=1 | plan 2 in 300 on {0, 1, 2, 3}, backfill 3_0 on {3}, backfill 3_1 on {3}, backfill 3_2 on {3}, backfill 4 on {3}, plan 5 in 300 on {2}, plan 6 in 300 on {2}",
                "bf_resolution=120 | plan 2 in 300 on {0, 1, 2, 3}, plan 3_0 in 600 on {3}, plan 3_0 in 600 on {0}, plan 3_0 in 600 on {1}, plan 4 in 600 on {2}, plan 5 in 840 on {2}, plan 6 in 1080 on {2}"
            })
    void each_key_that_bounds_a_cycle_does_so(String key, String decisions) {
        state = state(key.contains("resolution") ? key : "bf_resolution=1," + key);
        run(submit(1, 3, 4, 300), 0, 1, 2);
        submit(2, 4, 4, 300);
        SlurmArray array = new SlurmArray(0);
        for (int task = 0; task < 3; task++) {
            submit(3, "ann", "p", "normal", 1, 1, 600, array, null);
        }
        submit(4, "bob", "p", "normal", 1, 1, 240, null, null);
        submit(5, "bob", "q", "normal", 1, 1, 240, null, null);
        submit(6, "bob", "q", "normal", 1, 1, 400, null, null);

        assertThat(String.join(", ", cycle())).isEqualTo(decisions);
    }

    /** The second cycle counts users anew. */
    @Test
    void the_tests_of_a_cycle_are_counted_anew() {
        state = state("bf_max_job_user=1");
        run(submit(1, 3, 4, 300), 0, 1, 2);
        submit(2, 2, 1, 300);
        BackfillCycle cycle = new BackfillCycle(state, listener, new MainCycle(state, listener));

        cycle.run(NOW);
        cycle.run(NOW + 30);

        assertThat(listener.lines()).containsExactly("plan 2 in 300 on {0, 1}", "plan 2 in 300 on {0, 1}");
    }

    /** An array that may not run another task at once is not tested. */
    @Test
    void tasks_of_an_array_that_is_full_are_passed_over() {
        SlurmArray array = new SlurmArray(1);
        run(submit(1, "ann", "p", "normal", 1, 1, 300, array, null), 3);
        submit(1, "ann", "p", "normal", 1, 1, 300, array, null);
        submit(2, 1, 1, 300);

        assertThat(cycle()).containsExactly("backfill 2 on {0}");
    }

    /** Slurm tries the tasks of an array in its second partition, too. */
    @Test
    void an_array_that_is_refused_in_a_partition_is_tested_in_the_next() {
        state = state("bf_resolution=1,bf_min_prio_reserve=99");
        run(submit(1, 2, 4, 300), 0, 1);
        SlurmArray array = new SlurmArray(0);
        for (int task = 0; task < 2; task++) {
            submit(2, "ann", "r q", "normal", 1, 1, 60, array, null);
        }

        SlurmCases.Notes main = new SlurmCases.Notes();
        new MainCycle(state, main).run(NOW, true);

        assertThat(main.lines()).containsExactly("start 2_0 on {2}", "start 2_1 on {2}");
        state.running.stream().filter(job -> job.array != null).toList().forEach(state::undoStart);
        assertThat(cycle()).containsExactly("backfill 2_1 on {2}", "backfill 2_0 on {2}");
    }

    /**
     * Nodes 0 to 2 are in use until 300 s. A maintenance of node 3 from 100 to 200 s leaves time for a job of 99 s; the
     * next is planned a second after its end, or rather after the next minute.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | 99 | backfill 2 on {3}",
                "1 | 101 | plan 2 in 201 on {3}",
                "60 | 101 | plan 2 in 241 on {3}",
                "60 | 86399 | plan 2 in 241 on {3}"
            })
    void a_job_is_planned_after_a_reservation(int resolution, long seconds, String decision) {
        state = state("bf_resolution=" + resolution);
        run(submit(1, 3, 4, 300), 0, 1, 2);
        state.reserve(new SlurmReservation("window", nodes(3), NOW + 100, NOW + 200, Set.of(), true));
        submit(2, 1, 1, seconds);

        assertThat(cycle()).containsExactly(decision);
    }

    /** A plan until 150 s ends before the maintenance, but that of node 3 is the only one for the second job. */
    @Test
    void the_earlier_of_a_plan_and_a_reservation_is_tried_first() {
        run(submit(1, 4, 4, 50), 0, 1, 2, 3);
        state.reserve(new SlurmReservation("window", nodes(0, 1, 2), NOW + 20, NOW + 400, Set.of(), true));
        submit(2, 1, 4, 100);
        submit(3, 1, 4, 100);
        submit(4, 4, 1, 10);

        assertThat(cycle())
                .containsExactly("plan 2 in 50 on {3}", "plan 3 in 150 on {3}", "plan 4 in 401 on {0, 1, 2, 3}");
    }

    @Test
    void a_reservation_that_ends_beyond_the_window_leaves_no_plan() {
        state = state("bf_resolution=1,bf_window=5");
        state.reserve(new SlurmReservation("window", nodes(0, 1, 2, 3), NOW, NOW + 299, Set.of(), true));
        submit(2, 1, 1, 10);

        assertThat(cycle()).isEmpty();
        listener.lines().clear();
        state = state("bf_resolution=1,bf_window=5");
        state.reserve(new SlurmReservation("window", nodes(0, 1, 2, 3), NOW, NOW + 298, Set.of(), true));
        submit(2, 1, 1, 10);

        assertThat(cycle()).containsExactly("plan 2 in 299 on {0}");
    }

    @Test
    void features_and_partitions_narrow_a_plan_and_nodes_that_are_cleaned_put_it_off_by_a_second() {
        run(submit(1, 2, 4, 300), 0, 1);
        submit(2, "ann", "p", "normal", 1, 1, 60, null, nodes(1));
        submit(3, "ann", "q", "normal", 3, 1, 60, null, null);
        submit(4, "ann", "q", "normal", 2, 1, 60, null, null);
        state.completing(nodes(2), true);
        submit(5, "ann", "p", "normal", 1, 1, 60, null, nodes(2));

        assertThat(cycle()).containsExactly("plan 2 in 300 on {1}", "plan 4 in 1 on {2, 3}", "plan 5 in 61 on {2}");
    }

    /**
     * A job without a reservation of its QOS starts where it has a minute, and holds nobody back where it has not; one
     * of a higher QOS makes others give way, and has their nodes from now on.
     */
    @Test
    void preemption_lets_jobs_start_on_the_nodes_of_others() {
        state = state("bf_resolution=1", "PreemptType=preempt/qos", "PreemptMode=REQUEUE");
        run(submit(1, 3, 4, 300), 0, 1, 2);
        submit(2, 4, 4, 300);
        submit(3, "ann", "p", "brief", 1, 1, 6000, null, null);
        submit(4, "ann", "p", "brief", 1, 4, 6000, null, null);
        submit(5, 1, 1, 50);
        submit(6, 1, 4, 60);

        assertThat(cycle())
                .containsExactly(
                        "plan 2 in 300 on {0, 1, 2, 3}",
                        "backfill 3 on {3}",
                        "plan 4 in 600 on {0}",
                        "backfill 5 on {3}",
                        "plan 6 in 600 on {0}");

        listener.lines().clear();
        state.end(state.pending().iterator().next());
        submit(7, "ann", "p", "high", 2, 4, 100, null, null);
        assertThat(cycle()).contains("7 preempts 1", "plan 7 in 0 on {0, 1}");
    }
}
