package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest.Mode;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/** Jobs and servers of the simulator as Kueue sees them. */
class SimulatedWorkloadsTest {
    private static final long GIB = 1L << 30;

    private static String queue(String name, String resources) {
        StringBuilder quotas = new StringBuilder();
        for (String resource : resources.split(" ")) {
            quotas.append("{name: %s, nominalQuota: 1000Gi}, ".formatted(resource));
        }
        return "---\nkind: ClusterQueue\nmetadata: {name: %s}\nspec: {resourceGroups: [{coveredResources: [%s], flavors: [{name: any, resources: [%s]}]}]}\n"
                .formatted(name, resources.replace(" ", ", "), quotas);
    }

    private static String local(String namespace, String name, String cluster, String annotations) {
        return "---\nkind: LocalQueue\nmetadata: {name: %s, namespace: %s, annotations: {%s}}\nspec: {clusterQueue: %s}\n"
                .formatted(name, namespace, annotations, cluster);
    }

    private static final String LOCALS = local("ns1", "jobs", "c1", "")
            + local("ns2", "jobs", "c2", "")
            + local("ns2", "other", "c3", "")
            + local("ns4", "lost", "nowhere", "");

    private static final String GPU = "nvidia.com/gpu";

    private final QuotaTree tree = new QuotaTree(KueueFiles.parse(
            "test",
            queue("c1", "amd.com/gpu")
                    + queue("c2", "cpu memory pods " + GPU)
                    + queue("c3", GPU)
                    + LOCALS
                    + "---\n{kind: WorkloadPriorityClass, metadata: {name: low}, value: -5}\n"));

    private static KueueWorkload workload(QuotaTree tree, String cluster, TimedJobs job) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        JobSpec spec = job.workload().job(0);
        return new SimulatedWorkloads(tree, new SimulatedNodes(topology, tree)).of(spec, 7);
    }

    private static String localQueue(QuotaTree tree, KueueWorkload workload) {
        int described = workload.localQueue - tree.queues.size();
        return described < 0
                ? tree.queues.get(workload.localQueue).name
                : tree.objects.localQueues().get(described).namespace() + "/"
                        + tree.objects.localQueues().get(described).name();
    }

    /** By the name of a LocalQueue, a namespace or a ClusterQueue, of partition, account, virtual cluster and group. */
    @ParameterizedTest
    @CsvSource({
        "jobs, , ns2, , ns2/jobs, c2",
        "jobs, , , , ns1/jobs, c1",
        "jobs, , elsewhere, , ns1/jobs, c1",
        ", other, , , ns2/other, c3",
        ", jobs, ns2, , ns1/jobs, c1",
        ", , ns2, , ns2/jobs, c2",
        ", , , ns1, ns1/jobs, c1",
        "c3, , , , c3, c3",
        ", c2, , , c2, c2",
        "other, jobs, ns1, c2, ns2/other, c3",
        "none, jobs, ns2, c2, ns1/jobs, c1",
        "none, none, ns2, c3, ns2/jobs, c2",
        "none, none, none, c3, c3, c3",
        "lost, , ns4, , c1, c1",
        ", , , , c1, c1"
    })
    void a_job_belongs_to_the_first_queue_that_it_names(
            @Nullable String partition,
            @Nullable String account,
            @Nullable String virtualCluster,
            @Nullable String group,
            String expected,
            String cluster) {
        TimedJobs job = TimedJobs.list()
                .job(1, 0, 100)
                .by("ann", virtualCluster)
                .saying(terms -> terms.partition(partition).account(account).unixGroup(group));

        KueueWorkload workload = workload(tree, "1x8", job);

        assertThat(localQueue(tree, workload)).isEqualTo(expected);
        assertThat(tree.queues.get(workload.queue).name).isEqualTo(cluster);
    }

    @Test
    void a_job_that_names_no_queue_belongs_to_the_default_one() {
        QuotaTree withDefault = new QuotaTree(KueueFiles.parse(
                "test", queue("c1", GPU) + queue("c2", GPU) + LOCALS + local("ns3", "default", "c2", "")));

        KueueWorkload workload = workload(withDefault, "1x8", TimedJobs.list().job(1, 0, 100));

        assertThat(localQueue(withDefault, workload)).isEqualTo("ns3/default");
    }

    @ParameterizedTest
    @CsvSource({"low, 9, -5", "none, 9, 9", ", 9, 9", "low, , -5", ", , 0"})
    void a_priority_class_counts_before_the_number_of_a_job(
            @Nullable String qos, @Nullable Long number, long priority) {
        TimedJobs job =
                TimedJobs.list().job(1, 0, 100).saying(terms -> terms.qos(qos).priority(number));

        assertThat(workload(tree, "1x8", job).priority).isEqualTo(priority);
    }

    /** As many equal pods as nodes are asked for, else the fewest that servers of 4 GPUs hold. */
    @ParameterizedTest
    @CsvSource({
        "8, 0, false, 2, 4",
        "8, 4, false, 4, 2",
        "8, 3, false, 2, 4",
        "8, 1, false, 2, 4",
        "6, 0, false, 2, 3",
        "5, 0, false, 5, 1",
        "4, 0, false, 1, 4",
        "4, 4, true, 1, 4"
    })
    void a_job_is_pods_of_equal_size(int gpus, int nodes, boolean oneServer, int pods, long each) {
        Demand demand = Demand.ofGpus(gpus);
        TimedJobs job = TimedJobs.list()
                .job(oneServer ? demand.onOneServer() : demand, 0, 100)
                .saying(terms -> terms.partition("c3").nodes(nodes));

        PodSet set = workload(tree, "4x4", job).podSets.get(0);

        assertThat(set.count).isEqualTo(pods);
        assertThat(set.perPod[tree.resources.indexOf(GPU)]).isEqualTo(each);
    }

    /** Two pods of 4 GPUs, 12 of 24 cores and 16 of 32 GiB; only what its queue covers counts. */
    @ParameterizedTest
    @CsvSource({"c2, 0, 12000, 16, 1, 4", "c3, 0, 0, 0, 0, 4", "c1, 4, 0, 0, 0, 0"})
    void a_pod_asks_for_its_part_of_what_a_queue_covers(
            String queue, long amd, long cpuMilli, long gib, long pods, long nvidia) {
        TimedJobs job = TimedJobs.list()
                .job(Demand.ofGpus(8).withHost(24_000, 32 << 10), 0, 100)
                .saying(terms -> terms.partition(queue));

        KueueWorkload workload = workload(tree, "2x4", job);

        assertThat(tree.resources).containsExactly("amd.com/gpu", "cpu", "memory", "pods", GPU);
        assertThat(workload.podSets.get(0).perPod).containsExactly(amd, cpuMilli, gib * GIB, pods, nvidia);
        assertThat(workload.createdNanos).isEqualTo(7);
    }

    /** Annotations of a LocalQueue are those of its own jobs, not of all jobs of its ClusterQueue. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "required-topology: rack | REQUIRED | rack | 1 | -",
                "preferred-topology: rack | PREFERRED | rack | 1 | -",
                "required-topology: rack, preferred-topology: block | REQUIRED | rack | 1 | -",
                "unconstrained-topology: true | UNCONSTRAINED | - | 1 | -",
                "unconstrained-topology: false | - | - | 0 | -",
                "slice-required-topology: host, slice-size: 2 | UNCONSTRAINED | - | 2 | host",
                "slice-required-topology: host | UNCONSTRAINED | - | 1 | host",
                "slice-size: 2 | - | - | 0 | -",
                "preferred-topology: rack, slice-required-topology: host, slice-size: 4 | PREFERRED | rack | 4 | host"
            })
    void a_local_queue_says_where_the_pods_of_its_jobs_are(
            String annotations, @Nullable Mode mode, @Nullable String level, int slice, @Nullable String sliceLevel) {
        String full = annotations
                .replaceAll("([a-z-]+): ", "kueue.x-k8s.io/podset-$1: ")
                .replaceAll(": (\\w+)", ": \"$1\"");
        QuotaTree two = new QuotaTree(KueueFiles.parse(
                "test",
                queue("c1", GPU)
                        + local("a", "first", "c1", "kueue.x-k8s.io/podset-required-topology: other")
                        + local("b", "second", "c1", full)
                        + local("c", "third", "c1", "")));

        TopologyRequest request = workload(
                        two, "1x8", TimedJobs.list().job(2, 0, 100).saying(terms -> terms.partition("second")))
                .podSets
                .get(0)
                .topology;
        TopologyRequest third = workload(
                        two, "1x8", TimedJobs.list().job(2, 0, 100).saying(terms -> terms.partition("third")))
                .podSets
                .get(0)
                .topology;

        assertThat(request).isEqualTo(mode == null ? null : new TopologyRequest(mode, level, slice, sliceLevel));
        assertThat(third).isNull();
    }

    /** Jobs that differ in anything that decides their admission are tried apart. */
    @Test
    void jobs_are_alike_where_one_would_be_admitted_as_the_other() {
        TimedJobs jobs = TimedJobs.list()
                .job(2, 0, 100)
                .job(2, 0, 900)
                .job(3, 0, 100)
                .job(2, 0, 100)
                .saying(terms -> terms.priority(1L))
                .job(2, 0, 100)
                .by("ann", "team")
                .job(Demand.ofGpus(2).onTypes(List.of("V100")), 0, 100)
                .job(2, 0, 100)
                .saying(terms -> terms.nodes(2))
                .job(2, 0, 100)
                .saying(terms -> terms.partition("c3"));
        SimulatedWorkloads translation =
                new SimulatedWorkloads(tree, new SimulatedNodes(Objects.requireNonNull(Topologies.parse("2x4")), tree));

        List<Object> alike = IntStream.range(0, jobs.workload().size())
                .mapToObj(job -> translation.of(jobs.workload().job(job), 0).alike)
                .toList();

        assertThat(alike.get(1)).isEqualTo(alike.get(0));
        assertThat(alike.subList(1, alike.size())).doesNotHaveDuplicates();
    }

    private static QuotaTree flavors(String flavors, String levels) {
        return new QuotaTree(KueueFiles.parse(
                "test",
                flavors
                        + "---\nkind: Topology\nmetadata: {name: t}\nspec: {levels: [%s]}\n".formatted(levels)
                        + queue("c", "cpu memory " + GPU)));
    }

    /** By the type of GPU or the name of a server in a label, or by the flavor's own name; else it has all servers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a100 | gpu: none | {0, 1}",
                "pool-A100-spot | | {0, 1}",
                "a100x | | {0, 1, 2}",
                "any | accelerator: nvidia-h100-80gb | {2}",
                "any | host: %s | {1}",
                "any | gpu: none | {0, 1, 2}"
            })
    void a_flavor_has_the_servers_that_its_labels_or_name_say(String name, @Nullable String label, String servers) {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x4:A100+1x8:H100"));
        String labels = label == null ? "" : label.formatted(topology.serverName(1));
        QuotaTree flavored = flavors(
                "kind: ResourceFlavor\nmetadata: {name: %s}\nspec: {nodeLabels: {%s}}\n".formatted(name, labels),
                "{nodeLabel: a}");

        assertThat(new SimulatedNodes(topology, flavored).servers(0)).hasToString(servers);
    }

    /** Two servers a rack, and two racks a pod: levels are, from below, server, rack, pod and all. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{nodeLabel: kubernetes.io/hostname} | 8 | 4 8000 2",
                "{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname} | 4 8 | 4 8000 2",
                "{nodeLabel: rack} | 4 | 8 16000 4",
                "{nodeLabel: block}, {nodeLabel: rack} | 2 4 | 8 16000 4",
                "{nodeLabel: zone}, {nodeLabel: block}, {nodeLabel: rack} | 1 2 4 | 8 16000 4"
            })
    void a_topology_has_the_levels_of_its_labels(String levels, String parts, String leaf) {
        ServerSpec server = ServerSpec.ofV100(4).withHost(8000, 2 << 10);
        Topology topology = Topology.uniform("t", Fabric.DEFAULT, 4, 2, server, 2);
        QuotaTree flavored = flavors("kind: ResourceFlavor\nmetadata: {name: f}\nspec: {topologyName: t}\n", levels);

        TopologyTree made = new SimulatedNodes(topology, flavored).tree(0);

        assertThat(made.levels.stream().map(level -> Integer.toString(level.size())))
                .containsExactly(parts.split(" "));
        long[] capacity = made.capacity[0];
        assertThat("%d %d %d"
                        .formatted(
                                capacity[flavored.resources.indexOf(GPU)],
                                capacity[flavored.resources.indexOf("cpu")],
                                capacity[flavored.resources.indexOf("memory")] / GIB))
                .isEqualTo(leaf);
    }

    /** Without an end of cores on each of ten servers there is none on a rack of them. */
    @Test
    void a_part_of_servers_without_an_end_of_cores_has_none_either() {
        Topology topology = Topology.uniform("t", Fabric.DEFAULT, 1, 10, ServerSpec.ofV100(4), 1);
        QuotaTree flavored =
                flavors("kind: ResourceFlavor\nmetadata: {name: f}\nspec: {topologyName: t}\n", "{nodeLabel: rack}");

        TopologyTree made = new SimulatedNodes(topology, flavored).tree(0);

        assertThat(made.capacity[0]).containsExactly(ServerSpec.UNLIMITED, ServerSpec.UNLIMITED, 40);
    }

    /** The age of a workload counts under these policies, so that no two are alike. */
    @ParameterizedTest
    @CsvSource({
        "'', true",
        "withinClusterQueue: LowerOrNewerEqualPriority, false",
        "reclaimWithinCohort: LowerOrNewerEqualPriority, false",
        "reclaimWithinCohort: Any, true"
    })
    void jobs_are_alike_unless_their_age_counts(String policy, boolean alike) {
        QuotaTree aged = new QuotaTree(KueueFiles.parse(
                "test", queue("c", GPU).replace("spec: {", "spec: {preemption: {%s}, ".formatted(policy))));
        SimulatedWorkloads translation =
                new SimulatedWorkloads(aged, new SimulatedNodes(Objects.requireNonNull(Topologies.parse("2x4")), aged));
        TimedJobs jobs = TimedJobs.list().job(2, 0, 100).job(2, 0, 100);

        Object first = translation.of(jobs.workload().job(0), 0).alike;

        assertThat(first.equals(translation.of(jobs.workload().job(1), 1).alike))
                .isEqualTo(alike);
    }

    /** One queue has 4 GPUs and may borrow 2 of another's 8, on two servers of A100 and one of H100, all with 4. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6 | 0 | any | 4 | '' |",
                "6 | 0 | any | 4 | stopPolicy: Hold, | ClusterQueue c is stopped",
                "7 | 7 | any | 4 | '' | ClusterQueue c can never admit 7 of gpu, of which it may have 6",
                "1 | 0 | any | 1 | '' | ClusterQueue c can never admit 2,000 of cpu, of which it may have 1,000",
                "4 | 4 | any | 1 | '' | ClusterQueue c can never admit 8,000 of cpu, of which it may have 1,000",
                "4 | 0 | h100 | 8 | '' |",
                "6 | 2 | h100 | 12 | '' | ClusterQueue c can never admit it: no flavor has nodes for its pods",
                "6 | 2 | a100 | 12 | '' |",
                "4 | 0 | a100 | 8 | '' |"
            })
    void a_workload_that_is_never_admitted_has_a_reason(
            int gpus, int nodes, String flavor, long cpus, String spec, @Nullable String reason) {
        String quotas =
                "cohortName: all, resourceGroups: [{coveredResources: [gpu, cpu], flavors: [{name: %s, resources: [%s]}]}]";
        String own = "{name: gpu, nominalQuota: 4, borrowingLimit: 2}, {name: cpu, nominalQuota: %d, borrowingLimit: 0}"
                .formatted(cpus);
        QuotaTree bounded = new QuotaTree(KueueFiles.parse(
                "test",
                "---\nkind: ClusterQueue\nmetadata: {name: c}\nspec: {%s %s}\n"
                                .formatted(spec, quotas.formatted(flavor, own))
                        + "---\nkind: ClusterQueue\nmetadata: {name: d}\nspec: {%s}\n"
                                .formatted(quotas.formatted(flavor, "{name: gpu, nominalQuota: 8}"))));
        SimulatedWorkloads translation = new SimulatedWorkloads(
                bounded, new SimulatedNodes(Objects.requireNonNull(Topologies.parse("2x4:A100+1x4:H100")), bounded));
        PodPlacement placement = new PodPlacement(new KueueState(bounded, any -> {
            throw new IllegalStateException("no flavor has a topology");
        }));
        JobSpec job = TimedJobs.list()
                .job(Demand.ofGpus(gpus).withHost(cpus < 2 ? 2000L * gpus : 0, 0), 0, 100)
                .saying(terms -> terms.partition("c").nodes(nodes))
                .workload()
                .job(0);

        KueueWorkload workload = translation.of(job, 0);

        assertThat(translation.isPossible(workload, placement)).isEqualTo(reason == null);
        if (reason != null) {
            assertThat(translation.refusal(workload)).isEqualTo(reason);
        }
    }

    @ParameterizedTest
    @CsvSource({"A100, 6, true", "H100, 4, true", "H100, 6, false", "P100, 1, false"})
    void a_job_for_a_type_suits_flavors_of_servers_with_it(String type, int gpus, boolean possible) {
        QuotaTree typed = new QuotaTree(KueueFiles.parse(
                "test",
                "kind: ClusterQueue\nmetadata: {name: c}\nspec: {resourceGroups: [{coveredResources: [gpu], flavors: [%s, %s]}]}\n"
                        .formatted(
                                "{name: h100, resources: [{name: gpu, nominalQuota: 9}]}",
                                "{name: a100, resources: [{name: gpu, nominalQuota: 9}]}")));
        SimulatedWorkloads translation = new SimulatedWorkloads(
                typed, new SimulatedNodes(Objects.requireNonNull(Topologies.parse("2x4:A100+1x4:H100")), typed));
        PodPlacement placement = new PodPlacement(new KueueState(typed, any -> {
            throw new IllegalStateException("no flavor has a topology");
        }));
        JobSpec job = TimedJobs.list()
                .job(Demand.ofGpus(gpus).onTypes(List.of(type)), 0, 100)
                .workload()
                .job(0);

        assertThat(translation.isPossible(translation.of(job, 0), placement)).isEqualTo(possible);
    }
}
