package org.trainyard.agents.heuristic.volcano;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Volcano on the simulator; cases named after its own tests are those, a GPU for each of their cores. */
class VolcanoSchedulerTest {
    private static final String PROPORTION = """
            actions: "enqueue, allocate, gangpreempt, gangreclaim"
            tiers:
            - plugins: [{name: priority}, {name: gang}, {name: proportion}, {name: binpack}]
            ---
            kind: PriorityClass
            metadata: {name: low}
            value: 100
            ---
            kind: PriorityClass
            metadata: {name: high}
            value: 1000
            ---
            kind: PriorityClass
            metadata: {name: humble}
            value: 2000
            preemptionPolicy: Never
            """;

    private static String queue(String name, String spec) {
        return "---\nkind: Queue\nmetadata: {name: %s}\nspec: {%s}\n".formatted(name, spec);
    }

    private static RunResult run(TimedJobs jobs, String servers, String yaml) {
        var topology = Objects.requireNonNull(Topologies.parse(servers));
        return jobs.run(topology, new VolcanoScheduler(VolcanoObjects.parse("test", yaml), topology), 0);
    }

    /** Jobs such as {@code q1:low:3}: running from the start, each for 100 s; the last one comes after 10 s. */
    private static List<Integer> evicted(String servers, String yaml, String jobs) {
        TimedJobs list = TimedJobs.list();
        String[] all = jobs.split(" ", -1);
        for (int i = 0; i < all.length; i++) {
            String[] job = all[i].split(":", -1);
            list.job(Integer.parseInt(job[2]), i == all.length - 1 ? 10 : 0, 100)
                    .saying(terms -> terms.account(job[0]).qos(job[1]));
        }
        List<Integer> evicted = new ArrayList<>();
        run(list, servers, yaml).jobs().forEach(job -> {
            for (int i = 0; i < job.preemptions(); i++) {
                evicted.add(job.job().id());
            }
        });
        return evicted;
    }

    /** TestReclaim: one eviction, of the job of the lower priority or of the queue of the lower priority. */
    @ParameterizedTest
    @CsvSource({
        "3, 1, 1, 'q1:low:1 q1:low:1 q1:low:1 q2:high:1', 2",
        "4, 1, 1, 'q1:high:1 q1:low:1 q2:low:1 q2:low:1 q3:high:1', 3",
        "4, '1, priority: 5', '1, priority: 10', 'q1:low:1 q1:low:1 q2:low:1 q2:low:1 q3:high:1', 1",
        "4, 1, 1, 'q1:low:1 q1:low:1 q2:high:1 q2:high:1 q3:high:1', 3",
        "4, '1, reclaimable: false', 1, 'q1:low:1 q1:low:1 q2:low:1 q2:low:1 q3:high:1', 3",
        "1, 5, 10, 'q1:low:1 q2:humble:1', ''",
        "10, 1, 9, 'q1:low:2 q2:low:3', ''"
    })
    void a_queue_that_has_more_than_it_deserves_gives_way_to_another(
            String gpus, String first, String second, String jobs, String expected) {
        String yaml = PROPORTION
                + queue("q1", "weight: " + first)
                + queue("q2", "weight: " + second)
                + queue("q3", "weight: 1");

        assertThat(evicted("1x" + gpus, yaml, jobs))
                .containsExactly(expected.isEmpty() ? new Integer[0] : new Integer[] {Integer.valueOf(expected)});
    }

    /** TestPreempt: enough idle, more than one victim, the capability of the queue, and equal or lower priority. */
    @ParameterizedTest
    @CsvSource({
        "12, 20, 'q1:low:3 q1:high:3', ''",
        "12, 4, 'q1:low:3 q1:high:3', '0'",
        "12, 6, 'q1:low:3 q1:high:3', ''",
        "6, 6, 'q1:low:1 q1:low:1 q1:high:1 q1:high:5', '0 1'",
        "1, 1, 'q1:low:1 q1:low:1', ''",
        "1, 1, 'q1:low:1 q1:humble:1', ''",
        "12, 3, 'q1:low:1 q1:high:4', ''",
        "4, 4, 'q1:low:4 q1:high:4', '0'",
        "4, 4, 'q1:low:2 q1:low:2 q1:high:3', '0 1'",
        "4, 4, 'q1:low:2 q1:low:2 q1:high:2', '1'"
    })
    void a_more_urgent_job_of_a_queue_displaces_as_many_as_it_needs(
            String gpus, int capability, String jobs, String expected) {
        String yaml = PROPORTION + queue("q1", "capability: {nvidia.com/gpu: %d}".formatted(capability));

        assertThat(evicted("1x" + gpus, yaml, jobs))
                .containsExactlyElementsOf(
                        expected.isEmpty()
                                ? List.of()
                                : List.of(expected.split(" ")).stream()
                                        .map(Integer::valueOf)
                                        .toList());
    }

    /** On two servers of four GPUs: the first server where it suffices, and gangs wider than a server from anywhere. */
    @ParameterizedTest
    @CsvSource({
        "'q1:low:3 q1:low:3 q1:high:4', '0'",
        "'q1:high:4 q1:low:2 q1:low:2 q1:high:4', '1 2'",
        "'q1:high:2 q1:low:2 q1:low:4 q1:high:4', '2'",
        "'q1:high:3 q1:low:1 q1:high:3 q1:low:1 q1:high:2', ''",
        "'q1:low:2 q1:low:2 q1:high:6', '1'",
        "'q1:low:4 q1:low:4 q1:high:8', '0 1'",
        "'q1:high:2 q1:low:6 q1:high:8', ''"
    })
    void a_job_displaces_others_on_one_server_or_a_wide_one_anywhere(String jobs, String expected) {
        assertThat(String.join(
                        " ",
                        evicted("2x4", PROPORTION + queue("q1", "weight: 1"), jobs).stream()
                                .map(String::valueOf)
                                .toList()))
                .isEqualTo(expected);
    }

    /** Of jobs without a priority class the greater priority of their terms comes first. */
    @Test
    void a_priority_without_a_class_counts() {
        TimedJobs jobs = TimedJobs.list();
        for (int i = 0; i < 3; i++) {
            long priority = 5L * i;
            jobs.job(4, 10L * i, 100).saying(terms -> terms.priority(priority));
        }

        assertThat(TimedJobs.endSeconds(run(jobs, "1x4", PROPORTION.replace(", gangpreempt, gangreclaim", ""))))
                .containsExactly(100L, 300L, 200L);
    }

    /**
     * By weights the queues deserve a quarter and three quarters of the cores, and the memory, of all servers: 1 and 3
     * jobs.
     */
    @ParameterizedTest
    @CsvSource({"4000, 500", "500, 4000"})
    void queues_divide_the_cores_and_the_memory_of_all_servers(int cpuMilli, int memoryMib) {
        ServerSpec server = ServerSpec.ofV100(4).withHost(8000, 8000);
        Topology topology = Topology.uniform("hosts", Fabric.DEFAULT, 1, 2, server, 1);
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 8; job++) {
            String account = job < 4 ? "q1" : "q2";
            jobs.job(Demand.ofGpus(1).withHost(cpuMilli, memoryMib), 0, 100).saying(terms -> terms.account(account));
        }
        String yaml = PROPORTION + queue("q1", "weight: 1") + queue("q2", "weight: 3");

        RunResult result = jobs.run(topology, new VolcanoScheduler(VolcanoObjects.parse("test", yaml), topology), 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(100L, 200L, 200L, 200L, 100L, 100L, 100L, 200L);
    }

    @Test
    void objects_come_from_lists_config_maps_and_files(@TempDir Path dir) throws IOException {
        String yaml = """
                kind: List
                items:
                - {kind: Queue, metadata: {name: a}, spec: {weight: 3}}
                - {kind: Queue, metadata: {name: b}, status: {state: Closed}}
                ---
                kind: ConfigMap
                metadata: {name: volcano-scheduler-configmap}
                data:
                  other: nothing
                  volcano-scheduler.conf: "actions: preempt\\ntiers: [{plugins: [{name: gang, enablePreemptable: false}, {name: capacity}]}]"
                """;
        VolcanoObjects objects = VolcanoObjects.parse("test", yaml);
        Path file = Files.writeString(dir.resolve("volcano.yaml"), yaml);

        assertThat(objects.queues())
                .extracting(queue -> queue.name() + " " + queue.weight() + " " + queue.open())
                .containsExactly("a 3 true", "b 1 false");
        assertThat(objects.rules()).isEqualTo(new VolcanoObjects.Rules(true, false, false, true, false));
        assertThat(VolcanoObjects.read(file.toString())).isEqualTo(objects);
    }

    /** Whether jobs give way within a queue, and between queues. */
    @ParameterizedTest
    @CsvSource({
        "'preempt, reclaim', 'gang', false, false",
        "'preempt, reclaim', 'gang, enablePreemptable: false', true, false",
        "'preempt, reclaim', 'gang, enableReclaimable: false', false, true",
        "'preempt, reclaim', 'drf, enablePreemptable: false', true, true",
        "'gangpreempt', 'gang', true, false",
        "'gangreclaim', 'gang', false, true",
        "'allocate', 'drf', false, false"
    })
    void actions_and_the_plugin_gang_say_who_gives_way(
            String actions, String plugin, boolean preempts, boolean reclaims) {
        VolcanoObjects objects = VolcanoObjects.parse(
                "test", "actions: \"%s\"\ntiers: [{plugins: [{name: %s}]}]\n".formatted(actions, plugin));

        assertThat(objects.rules()).isEqualTo(new VolcanoObjects.Rules(false, false, false, preempts, reclaims));
        assertThat(objects.preempts()).isEqualTo(preempts || reclaims);
        assertThat(objects.notes().stream().filter(note -> note.contains("protects whole jobs")))
                .hasSize(
                        plugin.equals("gang") && actions.equals("preempt, reclaim")
                                ? 2
                                : plugin.startsWith("gang,") ? 1 : 0);
    }

    /** By weights 1 and 3 of 8 GPUs the queues start 2 and 6 jobs of one GPU. */
    @Test
    void queues_start_jobs_by_their_weights() {
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 160; job++) {
            String account = job < 80 ? "q1" : "q2";
            jobs.job(1, 0, 100).saying(terms -> terms.account(account));
        }
        RunResult result = run(jobs, "1x8", PROPORTION + queue("q1", "weight: 1") + queue("q2", "weight: 3"));

        assertThat(result.jobs().stream()
                        .filter(job -> job.firstStartNanos() == 0)
                        .map(job -> job.job().id()))
                .containsExactlyInAnyOrder(0, 1, 80, 81, 82, 83, 84, 85);
    }

    /**
     * Equal weights. From 0 the first queue holds 2 of 8 GPUs and asks for no more, so the second deserves 6, though
     * half of 8 is 4. From 20 the first asks for 4 in all, so the second deserves 4 and gets none beyond its 5; at 100
     * the first asks for 2 again.
     */
    @Test
    void a_queue_that_runs_jobs_asks_for_what_they_hold_once() {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 100).saying(terms -> terms.account("q1"));
        for (int job = 0; job < 5; job++) {
            jobs.job(1, 10, 100).saying(terms -> terms.account("q2"));
        }
        jobs.job(2, 20, 100).saying(terms -> terms.account("q1"));
        jobs.job(1, 20, 100).saying(terms -> terms.account("q2"));
        String yaml = PROPORTION.replace(", gangpreempt, gangreclaim", "")
                + queue("q1", "weight: 1")
                + queue("q2", "weight: 1");

        assertThat(run(jobs, "1x8", yaml).jobs().stream().map(job -> TimedJobs.wholeSeconds(job.firstStartNanos())))
                .containsExactly(0L, 10L, 10L, 10L, 10L, 10L, 100L, 100L);
    }

    @Test
    void jobs_are_packed_onto_servers_or_spread_over_them() {
        TimedJobs jobs = TimedJobs.list().job(1, 0, 100).job(1, 0, 100).job(4, 0, 100);

        assertThat(run(jobs, "2x4", PROPORTION).jobs().get(2).servers()).isEqualTo(1);
        assertThat(run(jobs, "2x4", PROPORTION.replace(", {name: binpack}", ""))
                        .jobs()
                        .get(2)
                        .servers())
                .isEqualTo(2);
    }

    @Test
    void a_job_that_its_queue_can_never_hold_is_rejected_and_others_pass_one_that_waits() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 100).job(8, 10, 100).job(4, 20, 100);

        assertThat(TimedJobs.endSeconds(run(jobs, "1x8", ""))).containsExactly(100L, 220L, 120L);
        assertThat(run(jobs, "1x8", queue("q", "capability: {nvidia.com/gpu: 4}"))
                        .jobs())
                .extracting(job -> job.job().id())
                .containsExactly(0, 2);
    }

    @Test
    void what_has_no_effect_is_named_and_a_bad_amount_refused() {
        assertThat(VolcanoObjects.parse(
                                "test",
                                PROPORTION
                                                .replace("gangpreempt", "preempt, shuffle")
                                                .replace("{name: binpack}", "{name: binpack}, {name: tdm}")
                                        + queue("q", "parent: root"))
                        .notes())
                .anyMatch(note -> note.contains("action preempt: the plugin gang protects whole jobs"))
                .anyMatch(note -> note.contains("action shuffle"))
                .anyMatch(note -> note.contains("plugins[4], tdm"))
                .anyMatch(note -> note.contains("parent"));
        assertThatThrownBy(() -> VolcanoObjects.parse("test", queue("q", "capability: {nvidia.com/gpu: many}")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("capability");
    }

    /** Of two that wait, the later of a higher priority starts first, where the plug-in of priorities is on. */
    @ParameterizedTest
    @CsvSource({"priority, 300, 200", "gang, 200, 300"})
    void a_waiting_job_of_a_higher_priority_comes_first(String plugin, long low, long high) {
        String yaml = "actions: allocate\ntiers: [{plugins: [{name: %s}]}]\n".formatted(plugin)
                + PROPORTION.substring(PROPORTION.indexOf("---"))
                + queue("q1", "weight: 1");
        TimedJobs jobs = TimedJobs.list();
        String[] classes = {"low", "low", "humble"};
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            jobs.job(4, 10L * i, 100).saying(terms -> terms.account("q1").qos(name));
        }

        assertThat(TimedJobs.endSeconds(run(jobs, "1x4", yaml))).containsExactly(100L, low, high);
    }

    /** All queues but one are closed, and reject what comes. */
    @ParameterizedTest
    @CsvSource({
        "p, a, v, g, p",
        ", a, v, g, a",
        ", , v, g, v",
        ", , , g, g",
        ", , , , default",
        "x, a, v, g, a",
        "x, x, x, x, default"
    })
    void a_job_belongs_to_the_first_queue_that_it_names(
            @Nullable String partition,
            @Nullable String account,
            @Nullable String virtualCluster,
            @Nullable String group,
            String expected) {
        StringBuilder yaml = new StringBuilder(PROPORTION);
        for (String name : List.of("p", "a", "v", "g", "default")) {
            yaml.append(queue(name, "weight: 1")).append(name.equals(expected) ? "" : "status: {state: Closed}\n");
        }
        TimedJobs jobs = TimedJobs.list()
                .job(1, 0, 100)
                .by("ann", virtualCluster)
                .saying(terms -> terms.partition(partition).account(account).unixGroup(group));

        assertThat(run(jobs, "1x8", yaml.toString()).jobs()).hasSize(1);
    }

    @Test
    void a_job_that_names_no_queue_belongs_to_the_first_where_none_is_called_default() {
        String yaml = PROPORTION + queue("one", "capability: {nvidia.com/gpu: 4}") + queue("two", "weight: 1");
        TimedJobs jobs = TimedJobs.list().job(4, 0, 100).job(5, 0, 100);

        assertThat(run(jobs, "1x8", yaml).jobs())
                .extracting(job -> job.job().id())
                .containsExactly(0);
    }

    /**
     * Classes: low is 100 and high 1000; "other" is none. The first job holds all GPUs, and the others come in turn.
     */
    @Test
    void a_priority_class_counts_before_the_number_of_a_job_and_an_unknown_class_is_none() {
        String[] classes = {"low", "low", "other", "high"};
        long[] numbers = {0, 5_000, 500, 0};
        TimedJobs jobs = TimedJobs.list();
        for (int i = 0; i < classes.length; i++) {
            int job = i;
            jobs.job(4, i, 100).saying(terms -> terms.qos(classes[job]).priority(numbers[job]));
        }

        assertThat(TimedJobs.endSeconds(run(jobs, "1x4", PROPORTION.replace(", gangpreempt, gangreclaim", ""))))
                .containsExactly(100L, 400L, 300L, 200L);
    }

    /** The class of jobs without one is the default, which makes others give way as it says. */
    @ParameterizedTest
    @CsvSource({"500, PreemptLowerPriority, 0", "500, Never, ''", "50, PreemptLowerPriority, ''"})
    void a_class_can_be_the_default_of_jobs_without_one(long value, String policy, String evicted) {
        String standard =
                "---\nkind: PriorityClass\nmetadata: {name: usual}\nvalue: %d\nglobalDefault: true\npreemptionPolicy: %s\n"
                        .formatted(value, policy);

        assertThat(evicted("1x4", PROPORTION + standard + queue("q1", "weight: 1"), "q1:low:4 q1::4").stream()
                        .map(String::valueOf))
                .containsExactlyElementsOf(evicted.isEmpty() ? List.of() : List.of(evicted));
    }

    /** Of equal jobs the first to come has too low a priority to displace the running one. */
    @Test
    void a_job_that_may_not_displace_keeps_no_later_one_from_it_where_priorities_do_not_order() {
        TimedJobs jobs = TimedJobs.list();
        String[] classes = {"low", "low", "high"};
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            jobs.job(4, i == 0 ? 0 : 10, 100)
                    .saying(terms -> terms.account("q1").qos(name));
        }

        assertThat(TimedJobs.endSeconds(
                        run(jobs, "1x4", PROPORTION.replace("{name: priority}, ", "") + queue("q1", "weight: 1"))))
                .containsExactly(200L, 300L, 110L);
    }

    /** Job 1 is the more urgent one, and its class displaces nobody; both wait for the GPUs of job 0. */
    @Test
    void the_job_that_displaced_others_gets_their_gpus() {
        TimedJobs jobs = TimedJobs.list();
        String[] classes = {"low", "humble", "high"};
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            jobs.job(4, i == 0 ? 0 : 10, 100)
                    .saying(terms -> terms.account("q1").qos(name));
        }

        assertThat(TimedJobs.endSeconds(run(jobs, "1x4", PROPORTION + queue("q1", "weight: 1"))))
                .containsExactly(300L, 210L, 110L);
    }

    /** On two servers of four GPUs; the first job at 10 s finds too few to displace, the second enough. */
    @ParameterizedTest
    @CsvSource({"6", "4"})
    void a_job_that_nobody_makes_room_for_keeps_no_later_one_from_it(int gpus) {
        TimedJobs jobs = TimedJobs.list();
        int[] sizes = {4, 2, 2, gpus, 2};
        for (int i = 0; i < sizes.length; i++) {
            String name = i == 2 ? "low" : "high";
            jobs.job(sizes[i], i < 3 ? 0 : 10, 100)
                    .saying(terms -> terms.account("q1").qos(name));
        }

        RunResult result = run(jobs, "2x4", PROPORTION + queue("q1", "weight: 1"));

        assertThat(result.jobs().get(4).firstStartNanos()).isEqualTo(10 * TimedJobs.SECOND);
        assertThat(result.jobs().get(2).preemptions()).isEqualTo(1);
    }

    /** A job of high priority comes after 10 s to four GPUs that one of low priority holds. */
    @ParameterizedTest
    @CsvSource({
        "whole, whole, 10",
        "whole, one server, 100",
        "whole, with cores, 100",
        "whole, half of each, 100",
        "half of each, whole, 100"
    })
    void whole_gpus_without_other_needs_are_displaced_for_such_alone(String held, String asked, long start) {
        Topology topology = Objects.requireNonNull(Topologies.parse("1x4"));
        TimedJobs jobs = TimedJobs.list()
                .job(demand(held), 0, 100)
                .saying(terms -> terms.account("q1").qos("low"))
                .job(demand(asked), 10, 100)
                .saying(terms -> terms.account("q1").qos("high"));
        String yaml = PROPORTION + queue("q1", "weight: 1");

        RunResult result = jobs.run(topology, new VolcanoScheduler(VolcanoObjects.parse("test", yaml), topology), 0);

        assertThat(result.jobs().get(1).firstStartNanos()).isEqualTo(start * TimedJobs.SECOND);
    }

    private static Demand demand(String kind) {
        Demand whole = Demand.ofGpus(4);
        return switch (kind) {
            case "one server" -> whole.onOneServer();
            case "with cores" -> whole.withHost(1000, 0);
            case "half of each" -> whole.withGpuMilli(500);
            default -> whole;
        };
    }

    /** Job 2 would displace job 0 at 10 s, were it not for the rule or the quota; job 1 of the same class is safe. */
    @ParameterizedTest
    @CsvSource({"0, 8, 10", "30, 8, 30", "0, 4, 100"})
    void nobody_gives_way_before_the_rules_let_them_or_for_a_job_beyond_its_quota(
            long leastRun, int quota, long start) {
        Topology topology = Objects.requireNonNull(Topologies.parse("1x8"));
        TimedJobs jobs = TimedJobs.list();
        String[] classes = {"low", "high", "high"};
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            jobs.job(4, i == 2 ? 10 : 0, 100)
                    .by("ann", i == 0 ? "free" : "lab")
                    .saying(terms -> terms.account("q1").qos(name));
        }
        // Something happens at 30 s, so that the scheduler is asked.
        jobs.job(1, 30, 1).saying(terms -> terms.account("q1").qos("low"));
        Simulator.Options options = new Simulator.Options(0, true)
                .with(new PreemptionRules(0, leastRun * TimedJobs.SECOND, 0, 9))
                .with(new Quotas(Map.of("lab", quota)));

        RunResult result = new World(topology, new RatedPerformance(), options)
                .simulator(jobs.workload())
                .run(new VolcanoScheduler(
                        VolcanoObjects.parse("test", PROPORTION + queue("q1", "weight: 1")), topology));

        assertThat(result.jobs().get(2).firstStartNanos()).isEqualTo(start * TimedJobs.SECOND);
    }

    @Test
    void each_field_of_an_object_says_what_it_says() {
        VolcanoObjects objects = VolcanoObjects.parse("test", """
                apiVersion: scheduling.volcano.sh/v1beta1
                kind: Queue
                metadata: {name: a, labels: {team: x}}
                spec:
                  weight: 3
                  priority: -2
                  capability: {cpu: 2500m, memory: 3Gi, nvidia.com/gpu: 4}
                  deserved: {cpu: 2, memory: 512Mi, amd.com/gpu: 3}
                  guarantee: {resource: {cpu: 1, memory: 1Mi, nvidia.com/gpu: 2}}
                  reclaimable: false
                ---
                kind: Queue
                metadata: {name: b}
                ---
                kind: PriorityClass
                metadata: {name: calm}
                value: -7
                ---
                kind: PriorityClass
                metadata: {name: humble}
                preemptionPolicy: Never
                """);

        assertThat(objects.queues())
                .containsExactly(
                        new VolcanoObjects.Queue(
                                "a",
                                3,
                                -2,
                                new Amounts(4, 2500, 3072),
                                new Amounts(3, 2000, 512),
                                new Amounts(2, 1000, 1),
                                false,
                                true),
                        new VolcanoObjects.Queue("b", 1, 0, Amounts.ALL, Amounts.NONE, Amounts.NONE, true, true));
        assertThat(objects.priorityClasses())
                .isEqualTo(Map.of(
                        "calm", new VolcanoObjects.PriorityClass(-7, true),
                        "humble", new VolcanoObjects.PriorityClass(0, false)));
        assertThat(objects.rules()).isEqualTo(new VolcanoObjects.Rules(false, true, true, false, false));
        assertThat(objects.notes()).isEmpty();
        assertThat(VolcanoObjects.parse("test", PROPORTION).notes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "weight: 0 | weight: '0' is not valid: expected at least 1",
                "weight: many | weight: 'many' is not valid: expected a whole number",
                "capability: {cpu: 1x} | capability: '1x' is not valid: expected an amount such as 8, 500m or 64Gi"
            })
    void a_wrong_value_is_refused_with_its_place(String spec, String message) {
        assertThatThrownBy(() -> VolcanoObjects.parse("v.yaml", queue("q", spec)))
                .isInstanceOf(InputException.class)
                .hasMessage("v.yaml, document 1 (Queue q), spec, " + message);
    }
}
