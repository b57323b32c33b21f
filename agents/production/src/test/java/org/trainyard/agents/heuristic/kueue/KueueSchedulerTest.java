package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.simulation.Outage;
import org.trainyard.env.simulation.Outages;
import org.trainyard.env.simulation.Quotas;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** Kueue on the simulator: schedules worked out on paper. */
class KueueSchedulerTest {
    private static final Topology ONE_SERVER = Objects.requireNonNull(Topologies.parse("1x8"));

    /** Two teams with half of the GPUs each, which take back what is theirs. */
    private static final String TEAMS = """
            kind: ResourceFlavor
            metadata: {name: any}
            ---
            kind: ClusterQueue
            metadata: {name: red}
            spec:
              cohortName: lab
              preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}
              resourceGroups:
              - coveredResources: ["nvidia.com/gpu"]
                flavors:
                - name: any
                  resources: [{name: "nvidia.com/gpu", nominalQuota: 4}]
            ---
            kind: ClusterQueue
            metadata: {name: blue}
            spec:
              cohortName: lab
              preemption: {reclaimWithinCohort: Any}
              resourceGroups:
              - coveredResources: ["nvidia.com/gpu"]
                flavors:
                - name: any
                  resources: [{name: "nvidia.com/gpu", nominalQuota: 4}]
            ---
            kind: LocalQueue
            metadata: {name: blue-jobs, namespace: team-blue}
            spec: {clusterQueue: blue}
            ---
            kind: WorkloadPriorityClass
            metadata: {name: urgent}
            value: 100
            """;

    private static final String TREE =
            TEAMS.replace("metadata: {name: any}", "metadata: {name: any}\nspec: {topologyName: tree}") + """
            ---
            kind: Topology
            metadata: {name: tree}
            spec:
              levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]
            """;

    private static RunResult run(TimedJobs jobs, String yaml) {
        return jobs.run(ONE_SERVER, new KueueScheduler(KueueFiles.parse("test", yaml)), 0);
    }

    @Test
    void a_job_that_does_not_fit_is_passed_by_those_that_do() {
        TimedJobs jobs = TimedJobs.list().job(4, 0, 100).job(8, 10, 100).job(4, 20, 100);

        assertThat(TimedJobs.endSeconds(jobs.run(ONE_SERVER, "kueue", 0))).containsExactly(100L, 220L, 120L);
    }

    /** Job 0 of red borrows all of blue's GPUs until job 1 comes, and resumes when that has ended. */
    @Test
    void a_queue_takes_back_what_another_one_borrowed() {
        TimedJobs jobs = TimedJobs.list()
                .job(8, 0, 100)
                .saying(terms -> terms.account("red"))
                .job(4, 10, 50)
                .saying(terms -> terms.partition("blue-jobs"));

        RunResult result = run(jobs, TEAMS);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(150L, 60L);
        assertThat(result.jobs().get(0).preemptions()).isEqualTo(1);
    }

    /** It is within the quota of its queue; one that had to borrow would wait. */
    @Test
    void a_job_of_a_higher_priority_class_displaces_one_of_its_own_queue() {
        TimedJobs jobs = TimedJobs.list()
                .job(8, 0, 100)
                .saying(terms -> terms.account("red"))
                .job(4, 10, 50)
                .saying(terms -> terms.account("red").qos("urgent"));

        assertThat(TimedJobs.endSeconds(run(jobs, TEAMS))).containsExactly(150L, 60L);
    }

    /** A strict queue lets nobody pass its head, which waits for 8 GPUs. */
    @Test
    void the_head_of_a_strict_queue_blocks() {
        String strict = TEAMS.replace("cohortName: lab", "queueingStrategy: StrictFIFO\n  cohortName: lab");
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 3; job++) {
            jobs.job(job == 1 ? 8 : 4, 10L * job, 100).saying(terms -> terms.account("red"));
        }

        assertThat(TimedJobs.endSeconds(run(jobs, strict))).containsExactly(100L, 200L, 300L);
    }

    /** Half of what is in use counts after 100 s, and the other half is that of before. */
    private static String byUsage(String strategy, String weightOfAnn) {
        return """
                kind: Configuration
                admissionFairSharing: {usageHalfLifeTime: 100s, usageSamplingInterval: 100s}
                ---
                kind: ClusterQueue
                metadata: {name: all}
                spec:
                  queueingStrategy: %s
                  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
                  resourceGroups:
                  - coveredResources: ["nvidia.com/gpu"]
                    flavors:
                    - name: any
                      resources: [{name: "nvidia.com/gpu", nominalQuota: 8}]
                ---
                kind: LocalQueue
                metadata: {name: ann}
                spec: {clusterQueue: all, fairSharing: {weight: %s}}
                ---
                kind: LocalQueue
                metadata: {name: bob}
                spec: {clusterQueue: all}
                """.formatted(strategy, weightOfAnn);
    }

    /** Ann has used 6 GPUs by then: a penalty of 4, of which half is left, and half of 8. */
    @Test
    void a_local_queue_that_used_less_comes_before_older_jobs() {
        TimedJobs jobs = TimedJobs.list()
                .job(8, 0, 100)
                .saying(terms -> terms.partition("ann"))
                .job(8, 10, 100)
                .saying(terms -> terms.partition("ann"))
                .job(8, 20, 100)
                .saying(terms -> terms.partition("bob"));

        String yaml = byUsage("BestEffortFIFO", "1");
        assertThat(TimedJobs.endSeconds(run(jobs, yaml))).containsExactly(100L, 300L, 200L);
        assertThat(TimedJobs.endSeconds(run(jobs, yaml.replace("UsageBased", "No"))))
                .containsExactly(100L, 200L, 300L);
        assertThat(KueueFiles.parse("q.yaml", yaml.replace("admissionFairSharing:", "otherSharing:"))
                        .notes())
                .contains(
                        "ClusterQueue all, UsageBasedAdmissionFairSharing: has no effect without admissionFairSharing in the controller's Configuration");
    }

    /** The wide job of Bob (usage 3) blocks that of Ann (6 by her weight) until the sample at 200 s: 3.5 and 3. */
    @Test
    void the_head_of_a_strict_queue_changes_with_a_sample_of_usage() {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 1000)
                .saying(terms -> terms.partition("bob"))
                .job(4, 0, 100)
                .saying(terms -> terms.partition("ann"))
                .job(8, 110, 50)
                .saying(terms -> terms.partition("bob"))
                .job(4, 110, 50)
                .saying(terms -> terms.partition("ann"));

        assertThat(TimedJobs.endSeconds(run(jobs, byUsage("StrictFIFO", "500m"))))
                .containsExactly(1000L, 100L, 1050L, 250L);
    }

    @Test
    void a_job_that_its_queue_can_never_admit_is_rejected() {
        String closed = TEAMS.replace("nominalQuota: 4", "nominalQuota: 4, borrowingLimit: 0");
        TimedJobs jobs = TimedJobs.list().job(8, 0, 100).job(4, 0, 100);

        RunResult result = run(jobs, closed);

        assertThat(result.jobs()).extracting(job -> job.job().id()).containsExactly(1);
        assertThat(TimedJobs.endSeconds(result)).containsExactly(100L);
    }

    @Test
    void fields_that_bound_who_may_start_are_said_as_such() {
        String bounded = TEAMS.replace(
                "cohortName: lab",
                "cohortName: lab\n  namespaceSelector: {matchLabels: {team: red}}\n  admissionChecks: [quota]");

        assertThat(KueueFiles.parse("q.yaml", bounded).notes())
                .contains(
                        "q.yaml, document 2 (ClusterQueue red), spec, namespaceSelector: bounds who may start, and is not applied here",
                        "q.yaml, document 2 (ClusterQueue red), spec, admissionChecks: bounds who may start, and is not applied here");
        assertThat(KueueFiles.parse(
                                "q.yaml", TEAMS.replace("cohortName: lab", "cohortName: lab\n  namespaceSelector: {}"))
                        .notes())
                .isEmpty();
        assertThatThrownBy(() -> KueueFiles.parse(
                        "q.yaml", "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: a}\n"))
                .isInstanceOf(InputException.class)
                .hasMessage("q.yaml: a Queue of scheduling.volcano.sh is not read: expected a ClusterQueue of Kueue");
    }

    @Test
    void fields_without_effect_are_named_and_wrong_ones_refused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("queues.yaml"),
                TEAMS.replace("cohortName: lab", "cohortName: lab\n  concurrentAdmissionPolicy: {}"));
        assertThat(SchedulerRegistry.named("kueue:" + file).notes())
                .contains(
                        file + ", document 2 (ClusterQueue red), spec, concurrentAdmissionPolicy: has no effect here");
        assertThat(KueueFiles.parse("q.yaml", TEAMS.replace("kind: ResourceFlavor", "kind: Deployment"))
                        .notes())
                .containsExactly(
                        "q.yaml, document 1 (Deployment any): a Deployment has no effect here",
                        "flavor any is not described, and is taken as all servers");
        assertThat(SchedulerRegistry.named("kueue:" + folder).name()).isEqualTo("kueue:" + folder);
        assertThatThrownBy(() -> KueueFiles.parse("q.yaml", TEAMS.replace("nominalQuota: 4", "nominalQuota: 4x")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("q.yaml, document 2 (ClusterQueue red)")
                .hasMessageContaining("nominalQuota")
                .hasMessageContaining("4x");
        assertThatThrownBy(() -> KueueFiles.parse("q.yaml", TEAMS.replace("Any", "Some")))
                .hasMessageContaining("reclaimWithinCohort")
                .hasMessageContaining("LowerOrNewerEqualPriority");
        assertThatThrownBy(() -> SchedulerRegistry.named("kueue:" + folder.resolve("none.yaml")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("none.yaml");
        assertThatThrownBy(() -> KueueFiles.parse("q.yaml", "kind: [unclosed")).isInstanceOf(InputException.class);
    }

    /** Two jobs of three GPUs leave one free on each of the servers, and the third asks for two on one. */
    @Test
    void a_topology_places_pods() {
        Topology two = Objects.requireNonNull(Topologies.parse("2x4"));
        TimedJobs jobs = TimedJobs.list();
        for (int gpus : new int[] {3, 3, 2}) {
            jobs.job(gpus, 0, 100).saying(terms -> terms.account("red"));
        }

        RunResult result = jobs.run(two, new KueueScheduler(KueueFiles.parse("test", TREE)), 0);
        assertThat(TimedJobs.endSeconds(result)).containsExactly(100L, 100L, 200L);
    }

    /**
     * The first server fails at 10 s: job 0 keeps its quota, on the third one, so that job 2 waits, although it is
     * urgent.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_job_whose_server_fails_keeps_its_quota(boolean hasTopology) {
        String yaml = hasTopology ? TREE : TEAMS;
        Topology three = Objects.requireNonNull(Topologies.parse("3x4"));
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 3; job++) {
            int number = job;
            jobs.job(4, number, 100)
                    .saying(terms -> terms.partition("blue-jobs").qos(number == 2 ? "urgent" : null));
        }
        Outages first = new Outages.Recorded(
                List.of(new Outages.Recorded.Entry(0, new Outage(10 * TimedJobs.SECOND, 500 * TimedJobs.SECOND))));
        Simulator.Options options = new Simulator.Options(0, true).with(first, 0);

        RunResult result = new World(three, new RatedPerformance(), options)
                .simulator(jobs.workload())
                .run(new KueueScheduler(KueueFiles.parse("test", yaml)));

        assertThat(result.jobs().stream().map(job -> TimedJobs.wholeSeconds(job.firstStartNanos())))
                .containsExactly(0L, 1L, 100L);
        assertThat(TimedJobs.endSeconds(result)).containsExactly(100L, 101L, 200L);
    }

    /**
     * Pods of one GPU or of two fill the first server. Counted as fewer, they would leave it room for the next job,
     * which is tighter than that of the second server.
     */
    @ParameterizedTest
    @CsvSource({"4", "2", "1"})
    void a_scheduler_that_begins_amid_a_run_counts_all_pods_of_a_server(int pods) {
        Topology two = Objects.requireNonNull(Topologies.parse("2x4"));
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .saying(terms -> terms.account("red").nodes(pods))
                .job(3, 10, 100)
                .saying(terms -> terms.account("red"));
        Scheduler first = new KueueScheduler(KueueFiles.parse("test", TREE));
        Scheduler then = new KueueScheduler(KueueFiles.parse("test", TREE));

        RunResult result =
                jobs.run(two, view -> (view.nowNanos() < 10 * TimedJobs.SECOND ? first : then).decide(view), 0);

        assertThat(TimedJobs.endSeconds(result)).containsExactly(100L, 110L);
    }

    /** Each of the jobs asks for two cores and 3 GiB a GPU: 8 cores and 12 GiB in all. */
    @ParameterizedTest
    @CsvSource({"cpu, 12, 200", "cpu, 16, 100", "memory, 23Gi, 200", "memory, 24Gi, 100", "pods, 1, 200", "pods, 2, 100"
    })
    void jobs_wait_for_the_quota_of_what_all_their_gpus_need(String resource, String quota, long end) {
        String covering = """
                kind: ClusterQueue
                metadata: {name: all}
                spec:
                  resourceGroups:
                  - coveredResources: ["nvidia.com/gpu", "%s"]
                    flavors:
                    - name: any
                      resources: [{name: "nvidia.com/gpu", nominalQuota: 8}, {name: "%s", nominalQuota: %s}]
                """.formatted(resource, resource, quota);
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 2; job++) {
            jobs.job(Demand.ofGpus(4).withHost(8000, 12 << 10), 0, 100);
        }

        assertThat(TimedJobs.endSeconds(run(jobs, covering))).containsExactly(100L, end);
    }

    /**
     * Job 2 has quota and waits for two GPUs on one server; they do not count for another virtual cluster, that of job
     * 3.
     */
    @ParameterizedTest
    @CsvSource({"b, 10", "a, 200"})
    void a_virtual_cluster_waits_for_its_own_quota_alone(String other, long start) {
        Topology two = Objects.requireNonNull(Topologies.parse("2x4"));
        TimedJobs jobs = TimedJobs.list()
                .job(3, 0, 100)
                .by("ann", "c")
                .job(3, 0, 100)
                .by("ann", "c")
                .job(Demand.ofGpus(2).onOneServer(), 0, 100)
                .by("ann", other)
                .job(1, 10, 100)
                .by("ann", "a");
        Simulator.Options options = new Simulator.Options(0, true).with(new Quotas(Map.of("a", 2)));

        RunResult result = new World(two, new RatedPerformance(), options)
                .simulator(jobs.workload())
                .run(new KueueScheduler(KueueFiles.parse("test", TEAMS.replace("nominalQuota: 4", "nominalQuota: 8"))));

        assertThat(result.jobs().stream()
                        .filter(job -> job.job().id() == 3)
                        .map(job -> TimedJobs.wholeSeconds(job.firstStartNanos())))
                .containsExactly(start);
    }

    private static RunResult run(TimedJobs jobs, Topology topology, Simulator.Options options, String yaml) {
        return new World(topology, new RatedPerformance(), options)
                .simulator(jobs.workload())
                .run(new KueueScheduler(KueueFiles.parse("test", yaml)));
    }

    private static List<Long> starts(RunResult result) {
        return result.jobs().stream()
                .sorted(Comparator.comparingInt(job -> job.job().id()))
                .map(job -> TimedJobs.wholeSeconds(job.firstStartNanos()))
                .toList();
    }

    /** The second job joins the first on its server, so that the third has one for itself. */
    @Test
    void pods_without_a_topology_go_to_the_tightest_server_that_holds_them() {
        TimedJobs jobs = TimedJobs.list().job(2, 0, 100).job(2, 0, 100).job(4, 0, 100);

        assertThat(starts(jobs.run(Objects.requireNonNull(Topologies.parse("2x4")), "kueue", 0)))
                .containsExactly(0L, 0L, 0L);
    }

    /**
     * With 1, 2 and 4 GPUs free, five pods of one take the four, and then the one that is tightest, so that the last
     * job has its two on one server.
     */
    @Test
    void pods_that_no_server_holds_take_the_one_with_most_room_first() {
        TimedJobs jobs = TimedJobs.list()
                .job(3, 0, 100)
                .job(2, 0, 100)
                .job(5, 0, 100)
                .saying(terms -> terms.nodes(5))
                .job(2, 0, 100);

        RunResult result = jobs.run(Objects.requireNonNull(Topologies.parse("3x4")), "kueue", 0);

        assertThat(starts(result)).containsExactly(0L, 0L, 0L, 0L);
        assertThat(result.jobs().stream().filter(job -> job.job().id() == 2).map(job -> job.servers()))
                .containsExactly(2);
    }

    /** A queue with four GPUs of each of some flavors, which are those of the types of their names. */
    private static String typed(String queue, String... flavors) {
        StringBuilder yaml = new StringBuilder(
                "---\nkind: ClusterQueue\nmetadata: {name: %s}\nspec:\n  resourceGroups:\n  - coveredResources: [gpu]\n    flavors:\n"
                        .formatted(queue));
        for (String flavor : flavors) {
            yaml.append("    - {name: %s, resources: [{name: gpu, nominalQuota: 4}]}\n".formatted(flavor));
        }
        return yaml.toString();
    }

    /** The A100 are on the first server: the first job leaves them alone. */
    @Test
    void a_job_runs_on_the_servers_of_its_flavor() {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .saying(terms -> terms.account("h"))
                .job(4, 0, 100)
                .saying(terms -> terms.account("a"));
        Topology topology = Objects.requireNonNull(Topologies.parse("1x4:A100+1x4:H100"));

        RunResult result =
                run(jobs, topology, new Simulator.Options(0, true), typed("h", "pool-h100") + typed("a", "pool-a100"));

        assertThat(starts(result)).containsExactly(0L, 0L);
    }

    /** Job 0 holds quota of the second flavor, so that job 1 has the first, whose server is free. */
    @Test
    void a_scheduler_that_begins_amid_a_run_counts_jobs_for_the_flavors_of_their_servers() {
        TimedJobs jobs = TimedJobs.list()
                .job(Demand.ofGpus(4).onTypes(List.of("H100")), 0, 100)
                .job(4, 10, 100);
        Topology topology = Objects.requireNonNull(Topologies.parse("1x4:A100+1x4:H100"));
        String yaml = typed("q", "pool-a100", "pool-h100");
        Scheduler first = new KueueScheduler(KueueFiles.parse("test", yaml));
        Scheduler then = new KueueScheduler(KueueFiles.parse("test", yaml));

        RunResult result =
                jobs.run(topology, view -> (view.nowNanos() < 10 * TimedJobs.SECOND ? first : then).decide(view), 0);

        assertThat(starts(result)).containsExactly(0L, 10L);
    }

    /**
     * The queues share no cohort: that the first job ends is news to the second for the quota of their virtual cluster
     * alone.
     */
    @Test
    void a_job_that_waits_for_the_quota_of_its_virtual_cluster_is_tried_again_when_any_other_ends() {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .by("ann", "team")
                .saying(terms -> terms.account("one"))
                .job(4, 10, 100)
                .by("ann", "team")
                .saying(terms -> terms.account("two"));
        Simulator.Options options = new Simulator.Options(0, true).with(new Quotas(Map.of("team", 4)));

        assertThat(starts(run(jobs, ONE_SERVER, options, typed("one", "any") + typed("two", "any"))))
                .containsExactly(0L, 100L);
    }

    /** The first server is out until 50 s, and job 0 runs on the second. */
    @Test
    void a_job_that_finds_no_place_is_tried_again_when_a_server_is_repaired() {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 5, 100)
                .saying(terms -> terms.account("red"))
                .job(4, 20, 100)
                .saying(terms -> terms.account("red"));
        Outages first =
                new Outages.Recorded(List.of(new Outages.Recorded.Entry(0, new Outage(0, 50 * TimedJobs.SECOND))));

        assertThat(starts(run(
                        jobs,
                        Objects.requireNonNull(Topologies.parse("2x4")),
                        new Simulator.Options(0, true).with(first, 0),
                        TREE)))
                .containsExactly(5L, 50L);
    }

    /**
     * The first server is out from 10 to 50 s, and the second is full: job 0 gives up its quota and waits anew. So job
     * 2, which is urgent, has the second server when job 1 ends at 30 s; job 0 goes on at 50 s with 90 s to go.
     */
    @Test
    void a_job_whose_pods_find_no_other_node_waits_anew() {
        TimedJobs jobs = TimedJobs.list()
                .job(4, 0, 100)
                .saying(terms -> terms.partition("blue-jobs"))
                .job(4, 0, 30)
                .saying(terms -> terms.partition("blue-jobs"))
                .job(4, 20, 100)
                .saying(terms -> terms.partition("blue-jobs").qos("urgent"));
        Outages first = new Outages.Recorded(
                List.of(new Outages.Recorded.Entry(0, new Outage(10 * TimedJobs.SECOND, 50 * TimedJobs.SECOND))));

        RunResult result = run(
                jobs,
                Objects.requireNonNull(Topologies.parse("2x4")),
                new Simulator.Options(0, true).with(first, 0),
                TREE);

        assertThat(starts(result)).containsExactly(0L, 0L, 30L);
        assertThat(TimedJobs.endSeconds(result)).containsExactlyInAnyOrder(140L, 30L, 130L);
    }
}
