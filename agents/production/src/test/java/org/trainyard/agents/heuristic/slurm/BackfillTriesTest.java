package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;

/** The seconds at which a cycle of the backfill loop tries a job, on which nodes, and how often. */
class BackfillTriesTest {
    private final SlurmCases.Notes listener = new SlurmCases.Notes();
    private SlurmState state = state("SchedulerParameters=bf_resolution=1");
    private long ids;

    private static SlurmState state(String... lines) {
        List<String> conf =
                new ArrayList<>(List.of("NodeName=n[1-4] CPUs=8 Gres=gpu:4", "PartitionName=p Nodes=ALL Default=YES"));
        conf.addAll(List.of(lines));
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", conf),
                null,
                List.of("Name|Priority|Preempt|Flags", "normal|0||", "brief|0||NoReserve"),
                null));
    }

    private void configure(String parameters, String... lines) {
        List<String> conf = new ArrayList<>(List.of(lines));
        conf.add("SchedulerParameters=" + parameters);
        state = state(conf.toArray(String[]::new));
    }

    private SlurmJob queue(Asked asked) {
        SlurmJob job = asked.at(NOW - 1000 + ids);
        state.prioritise(job, 100 - ids);
        return job;
    }

    private Asked ask(int nodes, int gpus, long seconds) {
        return new Asked(state, ++ids).nodes(nodes, gpus, 1).seconds(seconds);
    }

    private void run(String user, int gpus, long end, int... on) {
        SlurmJob job = ask(on.length, gpus, end).by(user).at(NOW);
        state.start(job, job.partition(), nodes(on), NOW);
    }

    private void run(int gpus, long end, int... on) {
        run("ann", gpus, end, on);
    }

    private List<String> cycle() {
        new BackfillCycle(state, listener, new MainCycle(state, listener)).run(NOW);
        return listener.lines();
    }

    private void drain(int... some) {
        for (int node : some) {
            state.drain(node, true);
        }
    }

    /**
     * Job 2, planned after job 1 of a node, holds it from 100 s to 300 s; job 3 of another node ends at 300 s or a
     * second before or after.
     */
    @ParameterizedTest
    @CsvSource({"299, 'plan 4 in 299 on {3}'", "300, 'plan 4 in 300 on {3}'", "301, 'plan 4 in 300 on {0}'"})
    void a_job_waits_for_the_first_of_a_plan_and_of_a_running_job(long end, String decision) {
        drain(1, 2);
        run(4, 100, 0);
        queue(ask(1, 4, 200));
        run(4, end, 3);
        queue(ask(1, 4, 400));

        assertThat(cycle()).containsExactly("plan 2 in 100 on {0}", decision);
    }

    /**
     * A reservation of the first node, and a plan of the second from 100 s to 200 s: job 3 is tried a second after the
     * former or at the end of the latter.
     */
    @ParameterizedTest
    @CsvSource({
        "197, 'plan 3 in 198 on {0}'",
        "198, 'plan 3 in 199 on {0}'",
        "199, 'plan 3 in 200 on {0}'",
        "200, 'plan 3 in 200 on {0}'",
        "201, 'plan 3 in 200 on {1}'",
        "90000, 'plan 3 in 200 on {1}'"
    })
    void a_job_is_tried_when_a_plan_or_a_reservation_ends(long end, String decision) {
        drain(2, 3);
        state.reserve(new SlurmReservation("window", nodes(0), NOW, NOW + end, Set.of(), true));
        run(4, 100, 1);
        queue(ask(1, 4, 100));
        queue(ask(1, 4, 50));

        assertThat(cycle()).containsExactly("plan 2 in 100 on {1}", decision);
    }

    /** The window of five minutes ends with a whole minute, in which no second is tried. */
    @ParameterizedTest
    @CsvSource({"180, 'plan 1 in 181 on {0}'", "181, 'plan 1 in 241 on {0}'", "240, 'plan 1 in 241 on {0}'", "241, ''"})
    void a_window_ends_with_a_step_of_the_resolution(long end, String decision) {
        configure("bf_resolution=60,bf_window=5");
        state.reserve(new SlurmReservation("window", nodes(0, 1, 2, 3), NOW, NOW + end, Set.of(), true));
        queue(ask(1, 1, 60));

        assertThat(String.join(", ", cycle())).isEqualTo(decision);
    }

    /**
     * Job 1 of the first node ends at 100 s, job 2 of the second at 120 s, in the same window; the job asks for a
     * feature of the first.
     */
    @Test
    void ends_on_nodes_without_a_feature_do_not_count() {
        run(4, 100, 0);
        run(4, 120, 1);
        drain(2, 3);
        queue(ask(1, 4, 60).on(nodes(0), null));

        assertThat(cycle()).containsExactly("plan 3 in 100 on {0}");
    }

    /**
     * Bob holds one GPU of the first node until 100 s, ann all of the second until 300 s: beside bob she may not be.
     */
    @Test
    void a_plan_of_one_user_is_not_beside_another() {
        configure("bf_resolution=1", "PartitionName=own Nodes=ALL ExclusiveUser=YES");
        run("bob", 1, 100, 0);
        run("ann", 4, 300, 1);
        drain(2, 3);
        queue(ask(1, 1, 60).in("own"));

        assertThat(cycle()).containsExactly("plan 3 in 300 on {1}");
    }

    private void submitArray(Asked asked) {
        SlurmArray array = new SlurmArray(0);
        for (int task = 0; task < 3; task++) {
            SlurmJob job = state.submit(asked.task(array).request(), null, array, NOW - 500);
            state.prioritise(job, 95);
        }
    }

    /** The two jobs that a cycle tests are the first task, for the others fare alike, and job 9. */
    private void expectTwoTests(String... decisions) {
        ids = 9;
        queue(new Asked(state, 9).nodes(1, 0, 1).seconds(20));

        assertThat(cycle()).containsExactly(decisions);
    }

    @Test
    void an_array_without_room_that_gets_no_plan_is_tested_once() {
        configure("bf_resolution=1,bf_max_job_test=2,bf_min_prio_reserve=97");
        run(4, 300, 0, 1, 2, 3);
        submitArray(ask(1, 1, 60));

        expectTwoTests("backfill 9 on {0}");
    }

    @Test
    void an_array_that_must_run_beside_a_plan_and_gets_none_is_tested_once() {
        configure("bf_resolution=1,bf_max_job_test=3,bf_min_prio_reserve=97");
        run(4, 300, 0, 1, 2);
        queue(ask(4, 1, 60));
        submitArray(ask(1, 1, 600));

        expectTwoTests("plan 2 in 300 on {0, 1, 2, 3}", "backfill 9 on {0}");
    }

    /** Its node is free, but being cleaned: it would get a plan for the next second. */
    @Test
    void an_array_whose_node_is_being_cleaned_and_that_gets_no_plan_is_tested_once() {
        configure("bf_resolution=1,bf_max_job_test=2,bf_min_prio_reserve=97");
        drain(1, 2);
        run(4, 300, 3);
        state.completing(nodes(0), true);
        submitArray(ask(1, 1, 60));

        expectTwoTests("backfill 9 on {3}");
    }

    /** Its plan would begin after the five minutes of the window, and keeps nobody off. */
    @Test
    void an_array_that_is_planned_beyond_the_window_is_tested_once() {
        configure("bf_resolution=1,bf_max_job_test=2,bf_window=5");
        run(4, 301, 0, 1, 2, 3);
        submitArray(ask(1, 1, 60));

        expectTwoTests("plan 2_0 in 301 on {0}", "backfill 9 on {0}");
    }

    /** In the reservation until 100 s job 2 is planned from 50 s to 110 s, after which it is shut for the array. */
    @Test
    void an_array_whose_reservation_is_shut_by_its_turn_is_tested_once() {
        configure("bf_resolution=1,bf_max_job_test=3");
        state.reserve(new SlurmReservation("ours", nodes(0), NOW - 10, NOW + 100, Set.of("ann"), false));
        run(4, 50, 0);
        queue(ask(1, 4, 60).reservation("ours"));
        submitArray(ask(1, 1, 60).reservation("ours"));

        expectTwoTests("plan 2 in 50 on {0}", "backfill 9 on {1}");
    }
}
