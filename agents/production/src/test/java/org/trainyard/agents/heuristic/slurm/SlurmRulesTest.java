package org.trainyard.agents.heuristic.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.trainyard.agents.heuristic.slurm.SlurmCases.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.slurm.configuration.FairShare;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmCluster;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmConf;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmPartition;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmReservation;
import org.trainyard.env.InputException;

class SlurmRulesTest {
    private static final long NOW = SlurmCases.NOW;

    private final SlurmCases.Notes listener = new SlurmCases.Notes();
    private final List<String> decisions = listener.lines();

    private static SlurmState state(String... lines) {
        List<String> conf = new ArrayList<>(List.of("NodeName=n[1-4] CPUs=8 Gres=gpu:a100:4"));
        conf.addAll(List.of(lines));
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse("slurm.conf", conf),
                null,
                List.of("Name|Priority|Preempt|GrpTRES", "normal|0||", "high|9|normal|", "small|0||gres/gpu=4"),
                null));
    }

    private static SlurmJob submit(SlurmState state, long id, int nodes, int gpus, int minutes, String qos) {
        return submit(state, id, nodes, gpus, minutes, qos, null);
    }

    private static SlurmJob submit(
            SlurmState state, long id, int nodes, int gpus, int minutes, String qos, @Nullable SlurmArray array) {
        return SlurmCases.submit(state, id, nodes, gpus, minutes, qos, array, null);
    }

    private void backfill(SlurmState state) {
        new BackfillCycle(state, listener, new MainCycle(state, listener)).run(NOW);
    }

    private static long mostSeconds(String maxTime) {
        return state("PartitionName=all Nodes=ALL MaxTime=" + maxTime)
                .cluster()
                .partition(null)
                .maxSeconds();
    }

    @Test
    void the_limit_of_a_partition_is_in_minutes_or_a_span_of_time() {
        assertThat(mostSeconds("90")).isEqualTo(5_400);
        assertThat(mostSeconds("1-02:03")).isEqualTo(93_780);
        assertThat(mostSeconds("unlimited")).isEqualTo(-1);
        assertThatThrownBy(() -> mostSeconds("Partition_Limit"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("MaxTime: 'Partition_Limit' is not valid: expected a span of time");
    }

    @Test
    void the_shortest_run_of_neighbours_that_is_long_enough_is_chosen() {
        assertThat(NodeChoice.choose(nodes(0, 1, 2, 4, 5, 8), 2)).isEqualTo(nodes(4, 5));
        assertThat(NodeChoice.choose(nodes(0, 1, 2, 4, 5, 8), 1)).isEqualTo(nodes(8));
        assertThat(NodeChoice.choose(nodes(0, 1, 2, 4, 5, 8), 4)).isEqualTo(nodes(0, 1, 2, 8));
        assertThat(NodeChoice.choose(nodes(0, 1), 3)).isNull();
    }

    @Test
    void the_main_loop_stops_at_the_first_job_that_does_not_fit() {
        SlurmState state = state();
        submit(state, 1, 3, 4, 5, "normal");
        submit(state, 2, 2, 4, 5, "normal");
        submit(state, 3, 1, 1, 5, "normal");

        new MainCycle(state, listener).run(NOW, false);

        assertThat(decisions).containsExactly("start 1 on {0, 1, 2}");
    }

    @Test
    void backfill_plans_every_job_that_waits_and_starts_none_that_would_delay_a_plan() {
        SlurmState state = state("SchedulerParameters=bf_interval=2,bf_resolution=1");
        state.start(submit(state, 1, 3, 4, 5, "normal"), state.cluster().partition(null), nodes(0, 1, 2), NOW);
        submit(state, 2, 4, 4, 5, "normal");
        submit(state, 3, 1, 1, 10, "normal");
        submit(state, 4, 1, 1, 4, "normal");

        backfill(state);

        assertThat(decisions)
                .containsExactly("plan 2 in 300 on {0, 1, 2, 3}", "plan 3 in 600 on {3}", "backfill 4 on {3}");
    }

    @Test
    void easy_backfill_plans_the_first_job_alone() {
        SlurmState state = state("SchedulerParameters=bf_resolution=1,bf_job_part_count_reserve=1");
        state.start(submit(state, 1, 3, 4, 5, "normal"), state.cluster().partition(null), nodes(0, 1, 2), NOW);
        submit(state, 2, 4, 4, 5, "normal");
        submit(state, 3, 1, 1, 10, "normal");
        submit(state, 4, 1, 1, 4, "normal");

        backfill(state);

        assertThat(decisions).containsExactly("plan 2 in 300 on {0, 1, 2, 3}", "backfill 4 on {3}");
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "1, 1", "2, 2", "3, 3"})
    void backfill_starts_no_more_jobs_than_bf_max_job_start(int most, int starts) {
        SlurmState state = state("SchedulerParameters=bf_max_job_start=" + most);
        for (int id = 1; id <= 3; id++) {
            submit(state, id, 1, 4, 5, "normal");
        }

        backfill(state);

        assertThat(decisions).hasSize(starts).allMatch(line -> line.startsWith("backfill"));
    }

    /** Within KillWait of its preemption a job does not preempt again, unless it has run since. */
    @Test
    void a_job_that_ran_and_was_requeued_may_preempt_again_at_once() {
        SlurmState state = state("PreemptType=preempt/qos", "PreemptMode=REQUEUE", "KillWait=600");
        state.start(submit(state, 1, 4, 4, 5, "normal"), state.cluster().partition(null), nodes(0, 1, 2, 3), NOW);
        SlurmJob high = submit(state, 2, 4, 4, 5, "high");
        MainCycle main = new MainCycle(state, listener);

        main.run(NOW, true);
        state.completing(nodes(0, 1, 2, 3), false);
        main.run(NOW + 1, true);
        state.requeue(high, NOW + 2);
        main.run(NOW + 122, true);
        main.run(NOW + 124, true);

        assertThat(decisions)
                .containsExactly("2 preempts 1", "start 2 on {0, 1, 2, 3}", "start 1 on {0, 1, 2, 3}", "2 preempts 1");
    }

    @Test
    void a_job_of_a_higher_qos_makes_as_few_others_give_way_as_it_needs() {
        SlurmState state = state("PreemptType=preempt/qos", "PreemptMode=REQUEUE");
        SlurmPartition all = state.cluster().partition(null);
        state.start(submit(state, 1, 1, 4, 5, "normal"), all, nodes(0), NOW);
        state.start(submit(state, 2, 2, 4, 5, "normal"), all, nodes(1, 2), NOW);
        state.start(submit(state, 3, 1, 4, 5, "high"), all, nodes(3), NOW);
        submit(state, 4, 2, 4, 5, "high");

        new MainCycle(state, listener).run(NOW, false);

        assertThat(decisions).containsExactly("4 preempts 2");
        assertThat(state.freeGpus()).isEqualTo(8);
    }

    @Test
    void no_more_tasks_of_an_array_run_at_once_than_it_says() {
        SlurmState state = state();
        SlurmArray array = new SlurmArray(2);
        for (int task = 0; task < 4; task++) {
            submit(state, 5, 1, 1, 5, "normal", array);
        }

        new MainCycle(state, listener).run(NOW, false);

        assertThat(decisions).containsExactly("start 5_0 on {0}", "start 5_1 on {0}");
    }

    @Test
    void a_limit_of_a_qos_holds_back_its_jobs_alone() {
        SlurmState state = state("AccountingStorageEnforce=associations,limits");
        submit(state, 1, 1, 3, 5, "small");
        submit(state, 2, 1, 3, 5, "small");
        submit(state, 3, 1, 4, 5, "normal");

        new MainCycle(state, listener).run(NOW, false);

        assertThat(decisions).containsExactly("start 1 on {0}", "start 3 on {1}");
    }

    @Test
    void a_reservation_is_open_from_its_begin_and_no_longer_at_its_end() {
        Reservations reservations = new Reservations(nodes(0));
        reservations.add(new SlurmReservation("r", nodes(0), 100, 200, Set.of(), false));

        assertThat(reservations.open("r", 99)).isFalse();
        assertThat(reservations.open("r", 100)).isTrue();
        assertThat(reservations.open("r", 199)).isTrue();
        assertThat(reservations.open("r", 200)).isFalse();
    }

    @Test
    void no_job_starts_that_would_run_into_a_reservation() {
        SlurmState state = state();
        state.reserve(new SlurmReservation("window", nodes(0, 1, 2), NOW + 100, NOW + 200, Set.of(), true));
        submit(state, 1, 1, 4, 5, "normal");
        submit(state, 2, 1, 4, 1, "normal");

        new MainCycle(state, listener).run(NOW, false);

        assertThat(decisions).containsExactly("start 1 on {3}", "start 2 on {0}");
    }

    @Test
    void users_are_ranked_by_their_accounts_first() {
        SlurmCluster cluster = SlurmCluster.of(
                SlurmConf.parse("slurm.conf", List.of("NodeName=a")),
                null,
                null,
                List.of("Account|User|Share", "root||1", "a||3", "a|ann|1", "a|bob|1", "b||1", "b|eve|1"));
        cluster.association("a", "ann").use(50);
        cluster.association("a", "bob").use(10);
        cluster.association("b", "eve").use(40);

        FairShare.calculate(cluster.root(), true);

        assertThat(cluster.association("a", "bob").factor()).isEqualTo(1);
        assertThat(cluster.association("a", "ann").factor()).isEqualTo(2 / 3.0);
        assertThat(cluster.association("b", "eve").factor()).isEqualTo(1 / 3.0);
    }

    @Test
    void keys_without_effect_are_named_and_a_bad_line_is_refused() {
        SlurmConf conf =
                SlurmConf.parse("slurm.conf", List.of("SchedulerParameters=bf_interval=9,bf_licenses", "NodeName=a"));

        assertThat(SlurmCluster.of(conf, null, null, null).notes())
                .containsExactly("SchedulerParameters bf_licenses: has no effect here");
        assertThatThrownBy(() -> SlurmConf.parse("slurm.conf", List.of("", "no key")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurm.conf:2");
    }

    @Test
    void columns_without_effect_are_named_where_partitions_are_of_nodes_that_the_file_does_not_describe() {
        SlurmFiles files = new SlurmFiles(
                "slurm.conf",
                List.of("PartitionName=p Nodes=n[1-4]", "TopologyParam=dragonfly"),
                null,
                List.of("Name|GraceTime", "low|00:01:00"),
                List.of("Account|User|MaxSubmitJobs", "root||7"),
                null);

        assertThat(files.notes())
                .containsExactly(
                        "assoc.txt, MaxSubmitJobs: bounds who may start, and is not applied here",
                        "qos.txt, GraceTime: has no effect here",
                        "TopologyParam=dragonfly: has no effect here");
    }

    /** Keys are without case and lines go on behind a backslash, as in slurm.conf; limits may be in thousands. */
    @Test
    void gres_conf_and_limits_are_read_as_slurm_reads_them() {
        SlurmCluster cluster = SlurmCluster.of(
                SlurmConf.parse("slurm.conf", List.of("NodeName=n[1-2] CPUs=8 Weight=4294967280")),
                List.of("nodename=n1 name=gpu \\", "  file=/dev/nvidia[0-3] # four", "NODENAME=n2 NAME=gpu COUNT=2"),
                List.of("Name|MaxTRES", "normal|cpu=2K"),
                null);

        assertThat(cluster.nodes()).extracting(SlurmCluster.Node::gpus).containsExactly(4, 2);
        assertThat(cluster.nodes().get(0).weight()).isEqualTo(4_294_967_280L);
        assertThat(cluster.qos("normal").job().cpus()).isEqualTo(2048);
    }

    private static SlurmState limited(String qos, String associations) {
        List<String> assoc = new ArrayList<>(
                List.of("Account|User|Share|GrpTRES|GrpJobs|MaxTRES|MaxJobs", "root||1||||", "lab||1||||"));
        assoc.addAll(List.of(associations.split("\n", -1)));
        return new SlurmState(SlurmCluster.of(
                SlurmConf.parse(
                        "slurm.conf",
                        List.of("NodeName=n[1-4] CPUs=8 Gres=gpu:a100:4", "AccountingStorageEnforce=limits,qos")),
                null,
                List.of(
                        "Name|Priority|GrpTRES|GrpJobs|MaxTRESPU|MaxJobsPU|MaxTRESPA|MaxJobsPA|MaxTRES|MaxWall",
                        "normal|0||||||||",
                        "q|0|" + qos),
                assoc));
    }

    private static void ask(SlurmState state, long id, String user, int gpus) {
        state.submit(new Asked(state, id).by(user).qos("q").nodes(1, gpus, 1).request(), "lab", null, NOW - 1000 + id);
    }

    /** Three jobs of two GPUs: two of ann's, then one of bob's; which of them start? */
    @ParameterizedTest
    @CsvSource({
        "||||||||,'',1 2 3",
        "gres/gpu=4||||||||,'',1 2",
        "|1|||||||,'',1",
        "||gres/gpu=2||||||,'',1 3",
        "|||1|||||,'',1 3",
        "||||gres/gpu=4||||,'',1 2",
        "|||||2|||,'',1 2",
        "||||||gres/gpu=1||,'',''",
        "|||||||00:05:00|,'',''",
        "||||||||,lab|ann|1|gres/gpu=2|||,1 3",
        "||||||||,lab|ann|1||1||,1 3",
        "||||||||,lab|ann|1|||gres/gpu=1|,3",
        "||||||||,lab|ann|1||||1,1 3",
        "||||||||,lab2||1||||,1 2 3"
    })
    void each_limit_of_a_qos_or_an_association_holds_back_the_jobs_that_it_is_for(
            String qos, String association, String starts) {
        SlurmState state = limited(qos, association.isEmpty() ? "lab|ann|1||||" : association);
        ask(state, 1, "ann", 2);
        ask(state, 2, "ann", 2);
        ask(state, 3, "bob", 2);

        new MainCycle(state, listener).run(NOW, true);

        assertThat(decisions.stream().map(line -> line.replaceAll("start (\\d) .*", "$1")))
                .containsExactly(starts.isEmpty() ? new String[0] : starts.split(" ", -1));
    }

    private static SlurmCluster weighed(String... lines) {
        List<String> conf =
                new ArrayList<>(List.of("NodeName=n[1-4] CPUs=8 Gres=gpu:4", "PriorityType=priority/multifactor"));
        conf.addAll(List.of(lines));
        return SlurmCluster.of(
                SlurmConf.parse("slurm.conf", conf),
                null,
                List.of("Name|Priority", "normal|0", "half|50", "high|100"),
                List.of("Account|User|Share|Priority", "root||1|20", "a||3|30", "a|ann|1|", "b||1|", "b|eve|1|40"));
    }

    /**
     * A job of two nodes with two GPUs and one CPU each, niced by 7, on a cluster of four nodes with four GPUs and
     * eight CPUs.
     */
    @ParameterizedTest
    @CsvSource({
        "PriorityWeightAge=1000,493",
        "PriorityWeightJobSize=1000,274",
        "PriorityWeightQOS=1000,493",
        "PriorityWeightPartition=1000,993",
        "'PriorityWeightTRES=CPU=1600,GRES/gpu=1000',343",
        "PriorityWeightTRES=node=1000,493",
        "PriorityWeightAssoc=1000,493"
    })
    void a_priority_is_the_sum_of_its_weighted_factors(String weights, long priority) {
        SlurmState state = new SlurmState(weighed(weights, "PriorityMaxAge=0-01:00:00"));
        SlurmJob job = submit(state, 1, 2, 2, 5, "half", null);
        SlurmJob nice = new Asked(state, 2)
                .qos("half")
                .nodes(2, 2, 1)
                .seconds(300)
                .nice(7)
                .at(NOW - 1800);

        assertThat(new JobPriority(state, NOW).now(nice, NOW)).isEqualTo(priority);
    }

    /** Two of four nodes, or a half, for as many minutes as the job may run. */
    @ParameterizedTest
    @CsvSource({"5, 100", "50, 10", "1, 500"})
    void a_size_relative_to_time_is_divided_by_minutes(int minutes, long priority) {
        SlurmState state =
                new SlurmState(weighed("PriorityWeightJobSize=1000", "PriorityFlags=SMALL_RELATIVE_TO_TIME"));
        SlurmJob job = submit(state, 1, 2, 2, minutes, "normal");

        assertThat(new JobPriority(state, NOW).now(job, NOW)).isEqualTo(priority);
    }

    /**
     * A user and an account have used alike. The user comes first and is the first of three; the account's better
     * served user ties with it, and the other comes last.
     */
    @Test
    void of_equal_shares_a_user_comes_before_the_users_of_an_account() {
        SlurmCluster cluster = SlurmCluster.of(
                SlurmConf.parse("slurm.conf", List.of("NodeName=a")),
                null,
                null,
                List.of(
                        "Account|ParentName|User|Share",
                        "root|||1",
                        "lab|root||1",
                        "sub|lab||1",
                        "sub||bob|1",
                        "sub||eve|1",
                        "lab||ann|1"));
        cluster.association("lab", "ann").use(30);
        cluster.association("sub", "bob").use(10);
        cluster.association("sub", "eve").use(20);

        FairShare.calculate(cluster.root(), true);

        assertThat(cluster.association("lab", "ann").factor()).isEqualTo(1);
        assertThat(cluster.association("sub", "bob").factor()).isEqualTo(1);
        assertThat(cluster.association("sub", "eve").factor()).isEqualTo(1 / 3.0);
    }

    @Test
    void classic_fair_share_halves_with_each_share_used_and_usage_decays() {
        SlurmCluster cluster = weighed("PriorityFlags=NO_FAIR_TREE");
        cluster.association("a", "ann").use(30);
        cluster.association("b", "eve").use(10);

        FairShare.calculate(cluster.root(), false);
        // Both used what their shares say: 30 of 40 for three of four shares.
        assertThat(cluster.association("a", "ann").factor()).isEqualTo(0.5);
        assertThat(cluster.association("b", "eve").factor()).isEqualTo(0.5);

        cluster.association("a", "ann").decay(0);
        cluster.root().decay(0.5);
        assertThat(cluster.association("b", "eve").usage()).isEqualTo(5);
    }

    /** Twice over a half-life of 300 s, of which Slurm makes 0.693 / 300 a second. */
    @Test
    void usage_decays_over_the_time_since_it_last_did() {
        SlurmState state = state("PriorityType=priority/multifactor", "PriorityDecayHalfLife=5");
        state.cluster().root().use(1000);
        JobPriority priorities = new JobPriority(state, NOW);

        priorities.decay(NOW + 300);
        assertThat(state.cluster().root().usage()).isCloseTo(499.7, within(0.1));
        priorities.decay(NOW + 600);
        assertThat(state.cluster().root().usage()).isCloseTo(249.7, within(0.1));
    }

    @Test
    void a_requeued_job_keeps_its_priority_and_waits_two_minutes() {
        SlurmState state = state();
        SlurmJob job = submit(state, 1, 1, 4, 5, "normal");
        state.prioritise(job, 77);
        state.start(job, state.cluster().partition(null), nodes(0), NOW);

        state.requeue(job, NOW + 10);
        new MainCycle(state, listener).run(NOW + 130, true);
        assertThat(decisions).isEmpty();
        new MainCycle(state, listener).run(NOW + 131, true);

        assertThat(job.priority()).isEqualTo(77);
        assertThat(decisions).containsExactly("start 1 on {0}");
    }

    @Test
    void a_job_that_is_held_or_not_due_or_waits_for_another_stands_in_nobodys_way() {
        SlurmState state = state();
        state.hold(submit(state, 1, 4, 4, 5, "normal"), true, NOW);
        state.beginAt(submit(state, 2, 4, 4, 5, "normal"), NOW + 1);
        state.waitFor(submit(state, 3, 4, 4, 5, "normal"), 1);
        submit(state, 4, 1, 1, 5, "normal");

        new MainCycle(state, listener).run(NOW, true);

        assertThat(decisions).containsExactly("start 4 on {0}");
    }

    @Test
    void a_drained_node_takes_no_job_until_it_is_resumed() {
        SlurmState state = state();
        state.drain(0, true);
        submit(state, 1, 4, 4, 5, "normal");

        new MainCycle(state, listener).run(NOW, true);
        assertThat(decisions).isEmpty();
        state.drain(0, false);
        new MainCycle(state, listener).run(NOW, true);

        assertThat(decisions).containsExactly("start 1 on {0, 1, 2, 3}");
    }

    @Test
    void a_job_that_outlives_its_guessed_time_is_expected_twice_as_long() {
        SlurmState state = state("SchedulerParameters=bf_resolution=1");
        state.start(submit(state, 1, 3, 4, 5, "normal"), state.cluster().partition(null), nodes(0, 1, 2), NOW - 300);
        submit(state, 2, 4, 4, 5, "normal");

        state.expectLater(NOW);
        backfill(state);

        assertThat(decisions).containsExactly("plan 2 in 300 on {0, 1, 2, 3}");
    }

    @Test
    void a_partition_of_a_higher_tier_comes_first_whatever_the_priorities() {
        SlurmState state = state(
                "PartitionName=low Nodes=ALL Default=YES PriorityTier=1", "PartitionName=top Nodes=ALL PriorityTier=9");
        SlurmJob low = submit(state, 1, 4, 4, 5, "normal");
        state.prioritise(low, 1_000);
        new Asked(state, 2).in("top").qos("normal").seconds(60).at(NOW);

        new MainCycle(state, listener).run(NOW, true);

        assertThat(decisions).containsExactly("start 2 on {0}");
    }
}
