package org.trainyard.agents.heuristic.kueue.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Fungibility;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Policy;
import org.trainyard.agents.heuristic.kueue.configuration.ClusterQueue.Preemption;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.Cohort;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.Flavor;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.LocalQueue;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.ShareRule;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.UsageSharing;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup.FlavorQuotas;
import org.trainyard.agents.heuristic.kueue.configuration.QuotaGroup.Quota;
import org.trainyard.env.InputException;

/** Each field of the objects of Kueue, with the defaults of its reference of the API. */
class KueueFilesTest {
    private static final long MIB = 1L << 20;
    private static final String GPU = "nvidia.com/gpu";

    /** All fields that decide something, none at its default. */
    private static final String ALL = """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            metadata: {name: manager}
            fairSharing: {preemptionStrategies: [LessThanInitialShare, LessThanOrEqualToFinalShare]}
            admissionFairSharing:
              usageHalfLifeTime: 168h
              usageSamplingInterval: 1m30s
              resourceWeights: {cpu: 2, memory: 500m}
            ---
            apiVersion: v1
            kind: List
            metadata: {resourceVersion: ""}
            items:
            - apiVersion: kueue.x-k8s.io/v1beta2
              kind: ResourceFlavor
              metadata: {name: a100, uid: 1}
              spec: {nodeLabels: {gpu: A100, pool: big}, topologyName: tree}
            - {kind: ResourceFlavor, metadata: {name: spot}}
            - kind: Topology
              metadata: {name: tree}
              spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
            ---
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: red}
            spec:
              cohortName: lab
              queueingStrategy: StrictFIFO
              resourceGroups:
              - coveredResources: [cpu, memory]
                flavors:
                - name: spot
                  resources:
                  - {name: cpu, nominalQuota: 2500m, borrowingLimit: 3, lendingLimit: 500m}
                  - {name: memory, nominalQuota: 2Gi, borrowingLimit: 1Gi}
              - coveredResources: ["nvidia.com/gpu"]
                flavors:
                - {name: a100, resources: [{name: "nvidia.com/gpu", nominalQuota: 8, lendingLimit: 5}]}
                - {name: spot, resources: [{name: "nvidia.com/gpu", borrowingLimit: 0}]}
              preemption:
                withinClusterQueue: LowerPriority
                reclaimWithinCohort: Any
                borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 100}
              flavorFungibility:
                whenCanBorrow: TryNextFlavor
                whenCanPreempt: MayStopSearch
                preference: PreemptionOverBorrowing
              fairSharing: {weight: 2}
              stopPolicy: Hold
              admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
            ---
            {kind: ClusterQueue, metadata: {name: plain}, status: {pendingWorkloads: 3}}
            ---
            kind: Cohort
            metadata: {name: lab}
            spec:
              parentName: all
              fairSharing: {weight: 750m}
              resourceGroups:
              - coveredResources: [cpu]
                flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 7}]}]
            ---
            {kind: Cohort, metadata: {name: alone}}
            ---
            kind: LocalQueue
            metadata:
              name: jobs
              namespace: team
              annotations: {kueue.x-k8s.io/podset-required-topology: rack, note: none}
            spec: {clusterQueue: red, fairSharing: {weight: 3}}
            ---
            {kind: LocalQueue, metadata: {name: other}, spec: {clusterQueue: plain}}
            ---
            {kind: WorkloadPriorityClass, metadata: {name: low}, value: -5, description: of no use}
            """;

    private static ClusterQueue queue(String spec) {
        return KueueFiles.parse("q.yaml", "{kind: ClusterQueue, metadata: {name: q}, spec: {%s}}".formatted(spec))
                .queues()
                .get(0);
    }

    @Test
    void each_field_of_an_object_says_what_it_says(@TempDir Path folder) throws IOException {
        KueueObjects objects = KueueFiles.parse("all.yaml", ALL);

        assertThat(objects.flavors())
                .isEqualTo(Map.of(
                        "a100", new Flavor("a100", Map.of("gpu", "A100", "pool", "big"), "tree"),
                        "spot", new Flavor("spot", Map.of(), null)));
        assertThat(objects.topologies()).isEqualTo(Map.of("tree", List.of("rack", "kubernetes.io/hostname")));
        assertThat(objects.queues()).containsExactly(red(), plain("plain", false));
        assertThat(objects.cohorts())
                .containsExactly(
                        new Cohort(
                                "lab",
                                "all",
                                List.of(new QuotaGroup(
                                        List.of("cpu"),
                                        List.of(new FlavorQuotas(
                                                "spot",
                                                Map.of(
                                                        "cpu",
                                                        new Quota(
                                                                7000, QuotaGroup.UNLIMITED, QuotaGroup.UNLIMITED)))))),
                                0.75),
                        new Cohort("alone", null, List.of(), 1));
        assertThat(objects.localQueues())
                .containsExactly(
                        new LocalQueue(
                                "team", "jobs", "red", Map.of("kueue.x-k8s.io/podset-required-topology", "rack"), 3),
                        new LocalQueue("default", "other", "plain", Map.of(), 1));
        assertThat(objects.priorityClasses()).isEqualTo(Map.of("low", -5L));
        assertThat(objects.fairSharing()).containsExactly(ShareRule.BELOW_INITIAL, ShareRule.AT_MOST_FINAL);
        assertThat(objects.usageSharing())
                .isEqualTo(
                        new UsageSharing(168 * 3_600_000_000_000L, 90_000_000_000L, Map.of("cpu", 2.0, "memory", 0.5)));
        assertThat(objects.notes()).isEmpty();
        Files.writeString(folder.resolve("all.yaml"), ALL);
        assertThat(KueueFiles.read(folder.toString())).isEqualTo(objects);
    }

    private static ClusterQueue red() {
        return new ClusterQueue(
                "red",
                "lab",
                true,
                List.of(
                        new QuotaGroup(
                                List.of("cpu", "memory"),
                                List.of(new FlavorQuotas(
                                        "spot",
                                        Map.of(
                                                "cpu", new Quota(2500, 3000, 500),
                                                "memory", new Quota(2048 * MIB, 1024 * MIB, QuotaGroup.UNLIMITED))))),
                        new QuotaGroup(
                                List.of(GPU),
                                List.of(
                                        new FlavorQuotas("a100", Map.of(GPU, new Quota(8, QuotaGroup.UNLIMITED, 5))),
                                        new FlavorQuotas("spot", Map.of(GPU, new Quota(0, 0, QuotaGroup.UNLIMITED)))))),
                new Preemption(Policy.LOWER_PRIORITY, Policy.ANY, true, 100L),
                new Fungibility(true, false, true),
                2,
                true,
                true);
    }

    private static ClusterQueue plain(String name, boolean stopped) {
        return new ClusterQueue(
                name, null, false, List.of(), Preemption.NEVER, new Fungibility(false, true, false), 1, stopped, false);
    }

    @ParameterizedTest
    @CsvSource({
        "'', NEVER, NEVER",
        "'withinClusterQueue: Never, reclaimWithinCohort: Never', NEVER, NEVER",
        "withinClusterQueue: LowerPriority, LOWER_PRIORITY, NEVER",
        "withinClusterQueue: LowerOrNewerEqualPriority, LOWER_OR_NEWER_EQUAL_PRIORITY, NEVER",
        "reclaimWithinCohort: LowerPriority, NEVER, LOWER_PRIORITY",
        "reclaimWithinCohort: LowerOrNewerEqualPriority, NEVER, LOWER_OR_NEWER_EQUAL_PRIORITY",
        "reclaimWithinCohort: Any, NEVER, ANY"
    })
    void a_policy_says_whom_a_workload_displaces(String preemption, Policy within, Policy reclaim) {
        assertThat(queue("preemption: {%s}".formatted(preemption)).preemption())
                .isEqualTo(new Preemption(within, reclaim, false, null));
    }

    @ParameterizedTest
    @CsvSource({
        "policy: Never, false, ",
        "policy: LowerPriority, true, ",
        "'policy: LowerPriority, maxPriorityThreshold: 0', true, 0",
        "'policy: LowerPriority, maxPriorityThreshold: -9', true, -9"
    })
    void a_queue_displaces_while_it_borrows_up_to_a_threshold(String policy, boolean borrows, Long threshold) {
        assertThat(queue("preemption: {borrowWithinCohort: {%s}}".formatted(policy))
                        .preemption())
                .isEqualTo(new Preemption(Policy.NEVER, Policy.NEVER, borrows, threshold));
    }

    /** {@code Borrow} and {@code Preempt} are the older words for {@code MayStopSearch}. */
    @ParameterizedTest
    @CsvSource({
        "'', false, true, false",
        "whenCanBorrow: Borrow, false, true, false",
        "whenCanBorrow: MayStopSearch, false, true, false",
        "whenCanBorrow: TryNextFlavor, true, true, false",
        "whenCanPreempt: Preempt, false, false, false",
        "whenCanPreempt: MayStopSearch, false, false, false",
        "whenCanPreempt: TryNextFlavor, false, true, false",
        "preference: BorrowingOverPreemption, false, true, false",
        "preference: PreemptionOverBorrowing, false, true, true"
    })
    void fungibility_says_which_flavors_are_tried_next(
            String fungibility, boolean pastBorrowing, boolean pastPreemption, boolean prefersPreemption) {
        assertThat(queue("flavorFungibility: {%s}".formatted(fungibility)).fungibility())
                .isEqualTo(new Fungibility(pastBorrowing, pastPreemption, prefersPreemption));
    }

    @ParameterizedTest
    @CsvSource({"'stopPolicy: None', false", "'stopPolicy: Hold', true", "'stopPolicy: HoldAndDrain', true"})
    void a_queue_can_be_stopped(String spec, boolean stopped) {
        assertThat(queue(spec)).isEqualTo(plain("q", stopped));
    }

    /** The name of v1beta1 counts where the newer one is not given. */
    @ParameterizedTest
    @CsvSource({"cohort: old, old", "'cohort: old, cohortName: new', new", "'cohort: old, cohortName: \"\"', old"})
    void a_cohort_has_an_older_name_of_its_field(String spec, String cohort) {
        assertThat(queue(spec).cohort()).isEqualTo(cohort);
        assertThat(KueueFiles.parse(
                                "q.yaml",
                                ALL
                                        + "---\n{kind: Cohort, metadata: {name: c}, spec: {%s}}"
                                                .formatted(spec.replace("cohortName", "parentName")
                                                        .replace("cohort:", "parent:")))
                        .cohorts()
                        .get(2)
                        .parent())
                .isEqualTo(cohort);
    }

    /** Both strategies are the default; {@code enable} is of v1beta1. */
    @ParameterizedTest
    @CsvSource({
        "fairSharing: {}, AT_MOST_FINAL BELOW_INITIAL",
        "fairSharing: {enable: true}, AT_MOST_FINAL BELOW_INITIAL",
        "fairSharing: {preemptionStrategies: [LessThanInitialShare]}, BELOW_INITIAL",
        "fairSharing: {enable: false}, null",
        "metadata: {name: a}, null"
    })
    void shares_count_where_the_controller_says_so(String controller, String rules) {
        KueueObjects objects = KueueFiles.parse(
                "q.yaml",
                "{kind: Configuration, %s}\n---\n%s"
                        .formatted(controller, "{kind: ClusterQueue, metadata: {name: q}}"));

        List<ShareRule> fairSharing = objects.fairSharing();
        assertThat(
                        fairSharing == null
                                ? "null"
                                : String.join(
                                        " ",
                                        fairSharing.stream()
                                                .map(ShareRule::name)
                                                .toList()))
                .isEqualTo(rules);
        assertThat(objects.usageSharing()).isNull();
    }

    /** Samples are five minutes apart by default, and no usage is kept without a half-life. */
    @ParameterizedTest
    @CsvSource({
        "'', 0, 300",
        "'usageHalfLifeTime: 1h30m', 5400, 300",
        "'usageHalfLifeTime: 10s, usageSamplingInterval: 0s', 10, 300"
    })
    void usage_decays_and_is_sampled(String usage, long halfLife, long sampling) {
        assertThat(KueueFiles.parse(
                                "q.yaml",
                                "{kind: Configuration, admissionFairSharing: {%s}}\n---\n%s"
                                        .formatted(usage, "{kind: ClusterQueue, metadata: {name: q}}"))
                        .usageSharing())
                .isEqualTo(new UsageSharing(halfLife * 1_000_000_000, sampling * 1_000_000_000, Map.of()));
    }

    @Test
    void what_has_no_effect_is_named() {
        KueueObjects objects = KueueFiles.parse("q.yaml", """
                kind: ResourceFlavor
                metadata: {name: known}
                spec: {topologyName: none, tolerations: [{key: a}], nodeTaints: []}
                ---
                apiVersion: v1
                kind: Service
                ---
                kind: ClusterQueue
                metadata: {name: q, labels: {a: b}}
                spec:
                  color: red
                  resourceGroups: [{coveredResources: [cpu], flavors: [{name: unknown}, {name: known, cost: 1}]}]
                  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
                ---
                {kind: LocalQueue, metadata: {name: l}, spec: {clusterQueue: elsewhere}}
                ---
                apiVersion: config.kueue.x-k8s.io/v1beta2
                kind: Configuration
                waitForPodsReady: {timeout: 5m}
                """);

        assertThat(objects.notes())
                .containsExactly(
                        "q.yaml, document 1 (ResourceFlavor known), spec, tolerations: bounds who may start, and is not applied here",
                        "q.yaml, document 2 (Service ): is no object of Kueue",
                        "q.yaml, document 3 (ClusterQueue q), spec, color: has no effect here",
                        "q.yaml, document 3 (ClusterQueue q), spec, resourceGroups[0], flavors[1], cost: has no effect here",
                        "q.yaml, document 5 (Configuration ), waitForPodsReady: bounds who may start, and is not applied here",
                        "flavor unknown is not described, and is taken as all servers",
                        "topology none of flavor known is not described, and has no effect",
                        "ClusterQueue elsewhere of LocalQueue l is not described; its jobs go elsewhere",
                        "ClusterQueue q, UsageBasedAdmissionFairSharing: has no effect without admissionFairSharing in the controller's Configuration");
        assertThat(objects.flavors()).isEqualTo(Map.of("known", new Flavor("known", Map.of(), null)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: ClusterQueue, metadata: {name: ''} | document 1 (ClusterQueue ), metadata, name: '' is not valid: expected a value",
                "kind: LocalQueue, metadata: {name: l} | document 1 (LocalQueue l), spec, clusterQueue: '' is not valid: expected a value",
                "kind: Cohort, metadata: {name: c}, spec: {fairSharing: {weight: -1}} | document 1 (Cohort c), spec, fairSharing, weight: '-1' is not valid: expected a number that is not negative",
                "kind: Configuration, fairSharing: {preemptionStrategies: [Some]} | document 1 (Configuration ), fairSharing, preemptionStrategies: 'Some' is not valid: expected LessThanOrEqualToFinalShare or LessThanInitialShare",
                "kind: Configuration, admissionFairSharing: {usageHalfLifeTime: -5m} | document 1 (Configuration ), admissionFairSharing, usageHalfLifeTime: '-5m' is not valid: expected a duration such as 168h, 5m or 1h30m",
                "kind: Configuration, admissionFairSharing: {usageHalfLifeTime: soon} | document 1 (Configuration ), admissionFairSharing, usageHalfLifeTime: 'soon' is not valid: expected a duration such as 168h, 5m or 1h30m",
                "kind: ClusterQueue, metadata: {name: q}, spec: {stopPolicy: Wait} | document 1 (ClusterQueue q), spec, stopPolicy: 'Wait' is not valid: expected one of None, Hold, HoldAndDrain",
                "kind: ClusterQueue, metadata: {name: q}, spec: {queueingStrategy: {a: 1}} | document 1 (ClusterQueue q), spec, queueingStrategy: '{\"a\":1}' is not valid: expected a text",
                "kind: ClusterQueue, metadata: {name: q}, spec: {resourceGroups: 5} | document 1 (ClusterQueue q), spec, resourceGroups: '5' is not valid: expected a list",
                "kind: ClusterQueue, metadata: {name: q}, spec: 5 | document 1 (ClusterQueue q), spec: '5' is not valid: expected fields",
                "kind: WorkloadPriorityClass, metadata: {name: p}, value: 1.5 | document 1 (WorkloadPriorityClass p), value: '1.5' is not valid: expected a whole number"
            })
    void a_wrong_value_is_refused_with_its_place(String object, String message) {
        assertThatThrownBy(() -> KueueFiles.parse("q.yaml", "{" + object + "}"))
                .isInstanceOf(InputException.class)
                .hasMessage("q.yaml, " + message);
    }

    @Test
    void a_file_or_a_folder_without_a_queue_or_without_yaml_is_refused(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "kind: ClusterQueue");
        assertThatThrownBy(() -> KueueFiles.read(folder.toString()))
                .isInstanceOf(InputException.class)
                .hasMessage(folder + ": has no ClusterQueue: expected a ClusterQueue of Kueue");
        assertThatThrownBy(() -> KueueFiles.read(folder.resolve("none.yaml").toString()))
                .hasMessage(
                        "scheduler kueue: '%s' is not valid: expected a YAML file or a folder of such",
                        folder.resolve("none.yaml"));
        Files.write(folder.resolve("bad.yml"), new byte[] {(byte) 0xc3, 0x28});
        assertThatThrownBy(() -> KueueFiles.read(folder.toString()))
                .hasMessage("scheduler kueue: '%s' is not valid: expected a readable text", folder.resolve("bad.yml"));
        assertThatThrownBy(() -> KueueFiles.parse("q.yaml", "kind: Cohort\nmetadata: {name: c}\n---\nkind: [unclosed"))
                .hasMessageStartingWith("q.yaml:4: 'document 2' is not valid: expected YAML: ");
    }

    @Test
    void without_objects_one_queue_has_all_gpus() {
        KueueObjects objects = KueueObjects.ofGpus(12);

        assertThat(objects.queues())
                .containsExactly(new ClusterQueue(
                        "default",
                        null,
                        false,
                        List.of(new QuotaGroup(
                                List.of(GPU),
                                List.of(new FlavorQuotas(
                                        "default",
                                        Map.of(GPU, new Quota(12, QuotaGroup.UNLIMITED, QuotaGroup.UNLIMITED)))))),
                        Preemption.NEVER,
                        new Fungibility(false, true, false),
                        1,
                        false,
                        false));
    }
}
