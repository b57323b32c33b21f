package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.NOW;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;

/** Runs of the main loop over one queue with each key that bounds them, and whom they make give way. */
class MainCycleTest {
    private final SlurmCases.Notes listener = new SlurmCases.Notes();

    private static SlurmState state(String... lines) {
        List<String> conf = new ArrayList<>(List.of("AccountingStorageEnforce=limits,qos"));
        conf.addAll(List.of(lines));
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", conf),
                null,
                List.of(
                        "Name|Priority|Preempt|PreemptMode|GrpTRES|UsageFactor|Flags",
                        "normal|0|||||",
                        "small|0|||gres/gpu=4|2.5|",
                        "over|0|||gres/gpu=4||OverPartQOS",
                        "part|0|||gres/gpu=8||",
                        "low|0|||||",
                        "loose|0||cancel|||",
                        "mid|5|||||",
                        "high|9|low,mid,loose||||"),
                null));
    }

    private static SlurmJob submit(
            SlurmState state, long id, String partition, String qos, int nodes, int gpus, boolean exclusive) {
        SlurmJob job = new Asked(state, id)
                .in(partition)
                .qos(qos)
                .nodes(nodes, gpus, 1)
                .alone(exclusive)
                .at(NOW - 1000 + id);
        state.prioritise(job, 100 - id);
        return job;
    }

    private static SlurmJob run(SlurmState state, long id, String qos, long second, int... on) {
        SlurmJob job = submit(state, id, "p", qos, on.length, 4, false);
        state.start(job, state.cluster().partition("p"), nodes(on), second);
        return job;
    }

    /** Job 2 is short of its QOS, and 4 of nodes; p has the nodes 0 to 2, and q those from 2 on. */
    private static SlurmState queue(String parameters) {
        SlurmState state = state(
                "NodeName=n[1-4] CPUs=8 Gres=gpu:4",
                "PartitionName=p Nodes=n[1-3] Default=YES",
                "PartitionName=q Nodes=n[3-4]",
                "SchedulerParameters=" + parameters);
        submit(state, 1, "p", "small", 1, 4, false);
        submit(state, 2, "p", "small", 1, 4, false);
        submit(state, 3, "p", "normal", 1, 1, false);
        submit(state, 4, "p", "normal", 3, 4, false);
        submit(state, 5, "p", "normal", 1, 1, false);
        submit(state, 6, "q", "normal", 1, 4, false);
        return state;
    }

    /**
     * By slurm.conf(5); a run that is not full tests one job more than {@code default_queue_depth}, as Slurm 22.05
     * does.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "defer | false | start 1 on {0}, start 3 on {1}, start 6 on {3}",
                "assoc_limit_stop | false | start 1 on {0}, start 6 on {3}",
                "sched_max_job_start=1 | true | start 1 on {0}",
                "sched_max_job_start=2 | true | start 1 on {0}, start 3 on {1}",
                "sched_max_job_start=3 | true | start 1 on {0}, start 3 on {1}, start 6 on {3}",
                "partition_job_depth=1 | true | start 1 on {0}, start 6 on {2}",
                "partition_job_depth=2 | true | start 1 on {0}, start 6 on {2}",
                "partition_job_depth=3 | true | start 1 on {0}, start 3 on {1}, start 6 on {2}",
                "partition_job_depth=4 | true | start 1 on {0}, start 3 on {1}, start 6 on {3}",
                "default_queue_depth=0 | false | start 1 on {0}",
                "default_queue_depth=1 | false | start 1 on {0}",
                "default_queue_depth=2 | false | start 1 on {0}, start 3 on {1}",
                "default_queue_depth=0 | true | start 1 on {0}, start 3 on {1}, start 6 on {3}",
                "bf_min_prio_reserve=96 | true | start 1 on {0}, start 3 on {1}, start 6 on {3}",
                "bf_min_prio_reserve=97 | true | start 1 on {0}, start 3 on {1}, start 5 on {1}, start 6 on {2}",
                "bf_min_age_reserve=996 | true | start 1 on {0}, start 3 on {1}, start 6 on {3}",
                "bf_min_age_reserve=997 | true | start 1 on {0}, start 3 on {1}, start 5 on {1}, start 6 on {2}"
            })
    void each_key_that_bounds_a_run_does_so(String key, boolean full, String decisions) {
        SlurmState state = queue(key);

        new MainCycle(state, listener).run(NOW, full);

        assertThat(String.join(", ", listener.lines())).isEqualTo(decisions);
    }

    /**
     * Nodes 0 to 2 are of p, of which 2 is drained and 0 has two GPUs. A job that wants more nodes than p has left
     * closes p; one that would not fit on the idle nodes left does not, though with a node of q it would.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"3 | 1 | ''", "2 | 4 | start 2 on {0}", "2 | 2 | start 1 on {0, 1}"})
    void a_job_closes_its_partition_unless_idle_nodes_would_not_do(int nodes, int gpus, String decisions) {
        SlurmState state = state(
                "NodeName=n1 CPUs=8 Gres=gpu:2",
                "NodeName=n[2-4] CPUs=8 Gres=gpu:4",
                "PartitionName=p Nodes=n[1-3] Default=YES",
                "PartitionName=q Nodes=n4");
        state.drain(2, true);
        submit(state, 1, "p", "normal", nodes, gpus, false);
        submit(state, 2, "p", "normal", 1, 1, false);

        new MainCycle(state, listener).run(NOW, true);

        assertThat(String.join(", ", listener.lines()).replaceAll("(, )?start 2 on \\{1}", ""))
                .isEqualTo(decisions);
    }

    /** The job closes its partition then, for it waits for the first node. */
    @Test
    void no_job_starts_on_a_node_that_is_being_cleaned() {
        SlurmState state = state("NodeName=n[1-2] CPUs=8 Gres=gpu:4", "PartitionName=p Nodes=ALL");
        state.completing(nodes(0), true);
        submit(state, 1, "p", "normal", 1, 4, false);
        submit(state, 2, "p", "normal", 1, 4, false);
        submit(state, 3, "p", "normal", 1, 0, false);
        MainCycle main = new MainCycle(state, listener);

        main.run(NOW, true);
        assertThat(listener.lines()).containsExactly("start 1 on {1}");
        state.completing(nodes(0), false);
        main.run(NOW + 1, true);

        assertThat(listener.lines()).containsExactly("start 1 on {1}", "start 2 on {0}", "start 3 on {0}");
    }

    @Test
    void starts_are_counted_anew_in_the_next_run() {
        SlurmState state = queue("sched_max_job_start=1,default_queue_depth=1");
        MainCycle main = new MainCycle(state, listener);

        main.run(NOW, true);
        main.run(NOW + 1, false);

        assertThat(listener.lines()).containsExactly("start 1 on {0}", "start 3 on {1}");
    }

    private static SlurmState preempting(String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "NodeName=n[1-10] CPUs=8 Gres=gpu:4",
                "PartitionName=p Nodes=n[1-10] Default=YES",
                "PreemptType=preempt/qos",
                "PreemptMode=REQUEUE"));
        lines.addAll(List.of(more));
        return state(lines.toArray(String[]::new));
    }

    /** By the priority of their QOS, then by nodes, then by submission; or the youngest first. */
    @ParameterizedTest
    @CsvSource({"defer, 4 3 2 1", "preempt_youngest_first, 3 1 4 2"})
    void candidates_for_preemption_have_an_order(String key, String order) {
        SlurmState state = preempting("SchedulerParameters=" + key);
        run(state, 1, "mid", NOW - 50, 0);
        run(state, 2, "low", NOW - 100, 1, 2);
        // Of jobs 3 and 4 the latter came first.
        SlurmJob fourth = submit(state, 4, "p", "low", 1, 4, false);
        run(state, 3, "low", NOW - 10, 3);
        state.start(fourth, state.cluster().partition("p"), nodes(4), NOW - 60);
        run(state, 5, "normal", NOW - 60, 5);
        run(state, 6, "high", NOW - 60, 6);

        assertThat(new Preemption(state)
                        .candidates(
                                submit(state, 7, "p", "high", 1, 4, false),
                                state.cluster().partition("p"),
                                NOW))
                .extracting(SlurmJob::toString)
                .containsExactly(order.split(" "));
    }

    /**
     * A job of four nodes finds jobs 1 to 4 of one to four nodes. Jobs 1, 2 and 3 are enough; then the last one that
     * was needed is tried first, and those that gave most nodes after it, or, in strict order, the others as they
     * stood.
     */
    @ParameterizedTest
    @CsvSource({
        "preempt_reorder_count=0, 3 2",
        "preempt_reorder_count=1, 2 3",
        "preempt_reorder_count=2, 3 2",
        "preempt_reorder_count=3, 3 2",
        "'preempt_reorder_count=0,preempt_strict_order', 3 1",
        "preempt_strict_order, 1 3"
    })
    void those_who_give_way_are_sorted_again_as_often_as_a_key_says(String key, String victims) {
        SlurmState state = preempting("SchedulerParameters=" + key);
        run(state, 1, "low", NOW - 10, 0);
        run(state, 2, "low", NOW - 10, 1, 2);
        run(state, 3, "low", NOW - 10, 3, 4, 5);
        run(state, 4, "low", NOW - 10, 6, 7, 8, 9);
        submit(state, 5, "p", "high", 4, 4, false);

        new MainCycle(state, listener).run(NOW, true);

        assertThat(listener.lines().stream().map(line -> line.replace("5 preempts ", "")))
                .containsExactly(victims.split(" "));
    }

    /** Of two jobs with equal QOS and as many nodes the one that was submitted first, though it ends later. */
    @Test
    void of_equal_candidates_the_first_submitted_goes_first() {
        SlurmState state = preempting();
        for (long id = 1; id <= 2; id++) {
            SlurmJob job = new Asked(state, id)
                    .in("p")
                    .qos("low")
                    .nodes(1, 4, 1)
                    .seconds(1000 / id)
                    .at(NOW - 100);
            state.start(job, job.partition(), nodes((int) id), NOW - 50);
        }

        assertThat(new Preemption(state)
                        .candidates(
                                submit(state, 3, "p", "high", 1, 4, false),
                                state.cluster().partition("p"),
                                NOW))
                .extracting(SlurmJob::toString)
                .containsExactly("1", "2");
    }

    /** Job 3 wants two nodes; those of normal jobs it may not have. */
    @Test
    void nobody_gives_way_where_that_is_not_enough() {
        SlurmState state = preempting();
        run(state, 1, "low", NOW - 10, 0);
        run(state, 2, "normal", NOW - 10, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        submit(state, 3, "p", "high", 2, 4, false);

        new MainCycle(state, listener).run(NOW, true);

        assertThat(listener.lines()).isEmpty();
        assertThat(state.running()).hasSize(2);
    }

    /** Job 3 makes job 1 give way, whose node then is drained; KillWait and ten seconds later it may displace job 2. */
    @Test
    void a_job_that_preempted_waits_for_the_nodes_before_it_preempts_again() {
        SlurmState state = state(
                "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                "PartitionName=p Nodes=ALL",
                "PreemptType=preempt/qos",
                "PreemptMode=REQUEUE",
                "KillWait=600");
        run(state, 1, "low", NOW - 10, 0);
        run(state, 2, "low", NOW - 10, 1);
        submit(state, 3, "p", "high", 1, 4, false);
        MainCycle main = new MainCycle(state, listener);

        main.run(NOW, true);
        state.completing(nodes(0), false);
        state.drain(0, true);
        main.run(NOW + 1, true);
        main.run(NOW + 609, true);
        assertThat(listener.lines()).containsExactly("3 preempts 1");
        main.run(NOW + 610, true);

        assertThat(listener.lines()).containsExactly("3 preempts 1", "3 preempts 2");
    }

    @ParameterizedTest
    @CsvSource({"low, PENDING", "loose, ENDED"})
    void a_job_that_gives_way_is_requeued_or_cancelled_as_its_qos_says(String qos, SlurmJob.State then) {
        SlurmState state = preempting();
        SlurmJob victim = run(state, 1, qos, NOW - 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        submit(state, 2, "p", "high", 1, 1, false);

        new MainCycle(state, listener).run(NOW, true);

        assertThat(listener.lines()).containsExactly("2 preempts 1");
        assertThat(victim.state()).isEqualTo(then);
        assertThat(state.freeGpus()).isEqualTo(40);
    }

    /** Job 1 holds a GPU of the first node: job 2, which shares none, takes the second with all that it has. */
    @Test
    void a_job_that_shares_no_node_takes_an_idle_one_whole() {
        SlurmState state = state("NodeName=n[1-2] CPUs=8 Gres=gpu:4", "PartitionName=p Nodes=ALL");
        submit(state, 1, "p", "normal", 1, 1, false);
        SlurmJob alone = submit(state, 2, "p", "normal", 1, 1, true);
        submit(state, 3, "p", "normal", 1, 0, false);
        SlurmJob next = submit(state, 4, "p", "normal", 1, 1, true);
        MainCycle main = new MainCycle(state, listener);

        main.run(NOW, true);

        assertThat(listener.lines()).containsExactly("start 1 on {0}", "start 2 on {1}", "start 3 on {0}");
        assertThat(alone.gpusHeld()).containsExactly(0b1111);
        assertThat(state.freeGpus()).isEqualTo(3);
        state.end(alone);
        main.run(NOW + 1, true);
        assertThat(next.nodesHeld()).containsExactly(1);
    }

    /**
     * By slurm.conf(5) a job without a limit has DefaultTime, else MaxTime, which is the most of any; here else a year.
     */
    @ParameterizedTest
    @CsvSource({
        "-1, DefaultTime=30 MaxTime=60, 1800",
        "-1, MaxTime=60, 3600",
        "-1, DefaultTime=90 MaxTime=60, 3600",
        "-1, State=UP, 31536000",
        "7200, DefaultTime=30 MaxTime=60, 3600",
        "600, DefaultTime=30 MaxTime=60, 600"
    })
    void a_job_is_expected_to_end_at_its_limit(long limit, String partition, long seconds) {
        SlurmState state = state("NodeName=n1 CPUs=8", "PartitionName=p Nodes=ALL " + partition);
        SlurmJob job = new Asked(state, 1).in("p").nodes(1, 0, 1).seconds(limit).at(NOW);

        state.start(job, job.partition(), nodes(0), NOW);

        assertThat(job.endSecond - NOW).isEqualTo(seconds);
    }

    /** Four GPUs for 10 s, then 5 s more, at a usage factor of 2.5; with a half-life of 693 s a second keeps 0.999. */
    @ParameterizedTest
    @CsvSource({"0, 1", "00:11:33, 0.999"})
    void usage_counts_once_by_the_factor_of_its_qos(String halfLife, double kept) {
        SlurmState state = state(
                "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                "PriorityType=priority/multifactor",
                "PriorityDecayHalfLife=" + halfLife);
        SlurmJob job = submit(state, 1, "all", "small", 2, 2, false);
        state.start(job, state.cluster().partition("all"), nodes(0, 1), NOW);
        JobPriority priorities = new JobPriority(state, NOW);

        priorities.use(job, NOW + 10);
        priorities.use(job, NOW + 10);
        priorities.use(job, NOW + 9);
        double first = 4 * 10 * 2.5 * Math.pow(kept, 10);
        assertThat(state.cluster().root().usage()).isCloseTo(first, within(1e-9));
        priorities.decay(NOW + 15);

        assertThat(state.cluster().root().usage())
                .isCloseTo(first * Math.pow(kept, 15) + 4 * 5 * 2.5 * Math.pow(kept, 5), within(1e-9));
    }

    /**
     * A job of one of two nodes, and one of 16 CPUs, with ten minutes: a half and a sixteenth of the cluster. By
     * default their mean, 9/32, counts, or what is left of it; relative to time a half by ten minutes, or what is left
     * of that.
     */
    @ParameterizedTest
    @CsvSource({
        "PriorityFavorSmall=NO, 281",
        "PriorityFavorSmall=YES, 718",
        "PriorityFlags=SMALL_RELATIVE_TO_TIME, 50",
        "'PriorityFlags=SMALL_RELATIVE_TO_TIME;PriorityFavorSmall=YES', 950",
        "'PriorityWeightAge=100;PriorityMaxAge=00:10:00', 381",
        "'PriorityWeightAge=100;PriorityMaxAge=01:00:00', 309"
    })
    void size_and_age_are_parts_of_a_priority(String settings, long priority) {
        List<String> lines = new ArrayList<>(List.of(
                "NodeName=n[1-2] CPUs=8 Gres=gpu:4",
                "PriorityType=priority/multifactor",
                "PriorityWeightJobSize=1000"));
        lines.addAll(List.of(settings.split(";")));
        SlurmState state = state(lines.toArray(String[]::new));
        SlurmJob job = submit(state, 1, "all", "normal", 1, 1, false);

        assertThat(new JobPriority(state, NOW).now(job, NOW + 1)).isEqualTo(priority);
    }

    /** Jobs of QOS small hold no more than four GPUs in all; undone, job 1 holds them. */
    @Test
    void a_job_whose_preemption_is_undone_counts_for_its_limits_again() {
        SlurmState state = state("NodeName=n[1-3] CPUs=8 Gres=gpu:4", "PartitionName=p Nodes=ALL");
        SlurmJob job = run(state, 1, "small", NOW - 10, 0);
        state.preempt(job, NOW);
        state.undoPreempt(job, NOW - 999, 0, NOW - 999);
        SlurmJob next = submit(state, 2, "p", "small", 1, 4, false);
        MainCycle main = new MainCycle(state, listener);

        main.run(NOW, true);
        assertThat(next.state()).isEqualTo(SlurmJob.State.PENDING);
        state.end(job);
        main.run(NOW + 1, true);

        assertThat(next.state()).isEqualTo(SlurmJob.State.RUNNING);
    }

    /** A limit of the partition's QOS, eight GPUs, comes before that of the job's, four, unless this says otherwise. */
    @ParameterizedTest
    @CsvSource({"small, 'start 1 on {0}, start 2 on {1}'", "over, 'start 1 on {0}'"})
    void the_qos_of_a_partition_overrides_limits_of_the_qos_of_a_job(String qos, String decisions) {
        SlurmState state = state(
                "NodeName=n[1-4] CPUs=8 Gres=gpu:4", "PartitionName=p Nodes=ALL QOS=part", "PartitionName=q Nodes=ALL");
        for (int id = 1; id <= 3; id++) {
            submit(state, id, "p", qos, 1, 4, false);
        }
        submit(state, 4, "q", qos, 1, 4, false);

        new MainCycle(state, listener).run(NOW, true);

        assertThat(String.join(", ", listener.lines())).isEqualTo(decisions);
    }
}
