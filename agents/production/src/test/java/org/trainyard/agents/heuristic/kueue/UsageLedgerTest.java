package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.kueue.PreemptionRule.Victim;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;
import org.trainyard.agents.heuristic.kueue.configuration.KueueObjects.ShareRule;
import org.trainyard.env.InputException;

/**
 * Usage-based fair sharing with the numbers of Kueue's own tests (v0.19.2: {@code TestFsAdmission},
 * {@code TestScheduleForAFS} of scheduler_afs_test.go, {@code TestLocalQueueReconcile}, {@code TestCandidatesOrdering},
 * admission_fair_sharing_test.go). Usage of the past comes about as in Kueue: twice as much is held for one half-life.
 */
class UsageLedgerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> LOCALS = List.of("a", "b", "c");

    /** A ClusterQueue with so much of each resource, and three LocalQueues with these weights. */
    private final class Case {
        private final QuotaTree tree;
        private final KueueState state;
        private final AdmissionQueues queues;
        private final List<KueueWorkload> given = new ArrayList<>();
        private long nanos;

        Case(String halfLife, String sampling, String quota, String scope, String resourceWeights, String... weights) {
            StringBuilder yaml =
                    new StringBuilder("""
                    kind: Configuration
                    admissionFairSharing:
                      usageHalfLifeTime: %s
                      usageSamplingInterval: %s
                      resourceWeights: {%s}
                    ---
                    kind: ClusterQueue
                    metadata: {name: all}
                    spec:
                      admissionScope: {admissionMode: %s}
                      preemption: {withinClusterQueue: Any}
                      resourceGroups:
                      - coveredResources: [cpu, GPU, memory]
                        flavors:
                        - name: any
                          resources:
                          - {name: cpu, nominalQuota: %s}
                          - {name: GPU, nominalQuota: %s}
                          - {name: memory, nominalQuota: 100Ti}
                    """.formatted(halfLife, sampling, resourceWeights, scope, quota, quota));
            for (int i = 0; i < LOCALS.size(); i++) {
                yaml.append(
                        "---\nkind: LocalQueue\nmetadata: {name: %s}\nspec: {clusterQueue: all, fairSharing: {weight: %s}}\n"
                                .formatted(LOCALS.get(i), i < weights.length ? weights[i] : "1"));
            }
            tree = new QuotaTree(KueueFiles.parse("case", yaml.toString()));
            state = new KueueState(tree, flavor -> {
                throw new IllegalStateException("no flavor has a topology");
            });
            queues = new AdmissionQueues(state);
            state.ledger.advance(0);
        }

        /** Amounts such as {@code cpu 2 GPU 4}. */
        private KueueWorkload workload(String local, long priority, String amounts) {
            long[] perPod = new long[tree.resources.size()];
            String[] parts = amounts.split(" ");
            for (int i = 0; i + 1 < parts.length; i += 2) {
                perPod[tree.resources.indexOf(parts[i])] =
                        (long) (Double.parseDouble(parts[i + 1]) * (parts[i].equals("cpu") ? 1000 : 1));
            }
            KueueWorkload workload = new KueueWorkload(
                    given.size(), 0, priority, given.size(), List.of(new PodSet(1, perPod, flavor -> true, null)));
            workload.localQueue = LOCALS.contains(local) ? 1 + LOCALS.indexOf(local) : 0;
            given.add(workload);
            return workload;
        }

        private Assignment all(KueueWorkload workload) {
            Assignment assignment = new Assignment(1, tree.resources.size(), tree.size());
            for (int resource = 0; resource < tree.resources.size(); resource++) {
                assignment.usage[tree.at(0, resource)] = workload.podSets.get(0).total(resource);
                assignment.flavors[0][resource] = 0;
            }
            return assignment;
        }

        /** The LocalQueue runs this without a penalty, since before the first sample. */
        private KueueWorkload runs(String local, String amounts) {
            KueueWorkload workload = workload(local, 0, amounts);
            state.admit(workload, all(workload), nanos);
            return workload;
        }

        private void admits(String local, String amounts) {
            KueueWorkload workload = runs(local, amounts);
            state.ledger.admitted(workload, nanos);
        }

        private void pass(long seconds) {
            nanos += seconds * SECOND;
            state.ledger.advance(nanos);
        }

        private double usage(String local) {
            return state.ledger.usage(workload(local, 0, ""));
        }

        /** Has a LocalQueue used these amounts, after a half-life. */
        private Case used(long halfLife, Map<String, String> amounts) {
            List<KueueWorkload> past = new ArrayList<>();
            amounts.forEach((local, amount) -> {
                for (int twice = 0; twice < 2; twice++) {
                    past.add(runs(local, amount));
                }
            });
            pass(halfLife);
            past.forEach(state::end);
            given.clear();
            return this;
        }

        /** Admitted workloads, by name, after so many cycles. */
        private List<String> admitted(List<String> names, List<KueueWorkload> workloads) {
            workloads.forEach(queues::arrive);
            for (int cycle = 0; cycle < workloads.size(); cycle++) {
                queues.run(queues.heads(), nanos);
            }
            return workloads.stream()
                    .filter(one -> one.admission != null)
                    .map(one -> names.get(one.id))
                    .toList();
        }
    }

    private Case of(String halfLife, String sampling) {
        return new Case(halfLife, sampling, "100000", "UsageBasedAdmissionFairSharing", "memory: 0");
    }

    /** A workload without requests ends a sample after {@code seconds}. */
    @ParameterizedTest
    @CsvSource({
        "300, 300, cpu 8, cpu 0, 4",
        "300, 300, cpu 8, cpu 4, 6",
        "300, 300, cpu 8 GPU 16, cpu 4 GPU 4, 16",
        "600, 300, cpu 8, cpu 4, 6.828427124",
        "600, 300, GPU 8, GPU 4, 6.828427124",
        "86400, 300, cpu 8, cpu 0, 7.980769063",
        "300, 300, cpu 10, cpu 4, 7",
        "300, 300, cpu 2, cpu 4, 3"
    })
    void usage_decays_towards_what_is_in_use(
            long halfLife, long seconds, String before, String inUse, double expected) {
        Case one = of(halfLife + "s", halfLife + "s").used(halfLife, Map.of("a", before));
        one.runs("a", inUse);
        one.pass(seconds);
        one.admits("a", "");

        assertThat(one.usage("a")).isEqualTo(expected);
    }

    @Test
    void a_half_life_of_zero_keeps_no_usage() {
        Case one = of("0s", "5m");
        one.admits("a", "cpu 8");
        one.pass(900);

        assertThat(one.usage("a")).isZero();
    }

    /** Each sample of a week-long half-life adds less than a thousandth. */
    @Test
    void samples_add_up_over_a_long_half_life() {
        Case one = of("168h", "5m");
        one.runs("a", "cpu 2");
        double[] afterHalfLives = {1, 1.5, 1.75};
        double before = 0;
        for (int sample = 1; sample <= 3 * 2016; sample++) {
            one.pass(300);
            double now = one.usage("a");
            assertThat(now).isGreaterThan(before).isLessThan(2);
            if (sample % 2016 == 0) {
                assertThat(now).isCloseTo(afterHalfLives[sample / 2016 - 1], within(0.001));
            }
            before = now;
        }
        Case atOnce = of("168h", "5m");
        atOnce.runs("a", "cpu 2");
        atOnce.pass(3 * 2016 * 300);

        assertThat(atOnce.usage("a")).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {16L << 30, 1L << 40, 64L << 40})
    void large_amounts_stay_positive(long bytes) {
        Case one = new Case("168h", "5m", "1", "UsageBasedAdmissionFairSharing", "");
        one.runs("a", "memory " + bytes);
        one.pass(300);

        assertThat(one.usage("a")).isPositive();
    }

    /** The penalty is half of what a workload asks for where an interval is a half-life. */
    @ParameterizedTest
    @CsvSource({
        "GPU 2, '', 1, '', 2",
        "GPU 2, '', 1, 'GPU: 3', 6",
        "cpu 4 GPU 2, '', 1, 'cpu: 1, GPU: 5', 14",
        "GPU 10, '', 1, 'GPU: 0', 0",
        "'', GPU 6, 1, '', 3",
        "GPU 2, GPU 2, 2, 'GPU: 4', 6",
        "'', '', 0, '', Infinity",
        "cpu 4, '', 0, '', Infinity"
    })
    void usage_is_weighted_and_has_the_penalty_at_once(
            String consumed, String admitted, String weight, String resourceWeights, double expected) {
        Case one = new Case("5m", "5m", "1000", "UsageBasedAdmissionFairSharing", resourceWeights, weight)
                .used(300, Map.of("a", consumed));
        one.admits("a", admitted);

        assertThat(one.usage("a")).isEqualTo(expected);
    }

    @Test
    void the_penalty_is_what_an_interval_would_add() {
        Case one = of("10m", "5m");
        one.admits("a", "cpu 4");
        one.admits("b", "GPU 2");

        assertThat(one.usage("a")).isEqualTo(1.171572875);
        assertThat(one.usage("b")).isEqualTo(0.585786437);
    }

    /**
     * Two penalties of 4 GPUs: 4 / sqrt(2) + 4 at 5 s, which the sample of the other LocalQueues at 10 s leaves as it
     * is.
     */
    @Test
    void an_admission_ends_a_sample() {
        Case one = of("10s", "10s");
        one.state.ledger.admitted(one.workload("a", 0, "GPU 8"), one.nanos);
        one.pass(5);
        one.state.ledger.admitted(one.workload("a", 0, "GPU 8"), one.nanos);
        one.pass(5);

        assertThat(one.usage("a")).isEqualTo(6.828427124);
    }

    /** Workloads are named by their LocalQueue and priority; {@code x} is a queue that nobody describes. */
    @ParameterizedTest
    @CsvSource({
        "UsageBased, '', 1, 1, cpu 2, cpu 1, a2 b1, b1",
        "UsageBased, 'cpu: 0, GPU: 1', 1, 1, cpu 1 GPU 10, cpu 1000 GPU 1, a2 b1, b1",
        "UsageBased, '', 1, 2, cpu 10, cpu 6, a2 b1, b1",
        "UsageBased, '', 1, 1, cpu 10, '', a1 a2, a2",
        "No, '', 1, 1, cpu 10, '', a1 a2, a2",
        "No, '', 1, 1, cpu 2, cpu 1, a2 b1, a2",
        "UsageBased, '', 1, 1, cpu 2, '', a2 x1, x1"
    })
    void usage_comes_before_priority(
            String scope,
            String resourceWeights,
            String a,
            String b,
            String usedByA,
            String usedByB,
            String names,
            String first) {
        Case one = new Case("10s", "10s", "1000", scope + "AdmissionFairSharing", resourceWeights, a, b)
                .used(10, Map.of("a", usedByA, "b", usedByB));
        List<String> all = List.of(names.split(" "));
        all.forEach(name -> one.queues.arrive(one.workload(name.substring(0, 1), name.charAt(1) - '0', "cpu 1")));

        assertThat(all.get(one.queues.heads().get(0).id)).isEqualTo(first);
    }

    /** Eight CPUs; workloads by LocalQueue with their CPUs, in the order of their creation. */
    @ParameterizedTest
    @CsvSource({
        "UsageBased, 1, cpu 8, cpu 2, a8 b8, b8",
        "UsageBased, 0, '', '', a8 b8, b8",
        "UsageBased, 1, '', '', a4 b4, a4 b4",
        "UsageBased, 1, '', '', a8, a8",
        "No, 1, cpu 8, cpu 2, a8 b8, a8",
        "UsageBased, 1, cpu 4, cpu 4, a4 a4 b4 b4, a4 b4",
        "UsageBased, 1, cpu 2, cpu 2, a4 b3 c1, a4 b3 c1",
        "UsageBased, 1, cpu 8, '', a8 b8, b8"
    })
    void the_queue_that_used_less_is_admitted_first(
            String scope, String weightOfA, String usedByA, String usedByB, String names, String admitted) {
        Case one = new Case("10s", "1s", "8", scope + "AdmissionFairSharing", "memory: 0", weightOfA)
                .used(10, Map.of("a", usedByA, "b", usedByB, "c", usedByB));
        List<String> all = List.of(names.split(" "));

        assertThat(one.admitted(
                        all,
                        all.stream()
                                .map(name -> one.workload(name.substring(0, 1), 0, "cpu " + name.charAt(1)))
                                .toList()))
                .containsExactlyInAnyOrder(admitted.split(" "));
    }

    /** The workload that displaced others waits first in its LocalQueue, and behind those that used less. */
    @Test
    void a_workload_that_waits_for_others_to_go_does_not_pass_a_queue_that_used_less() {
        Case one = of("10s", "10s").used(10, Map.of("a", "cpu 2", "b", "cpu 1"));
        PendingQueue queue = one.queues.queue(0);
        KueueWorkload high = one.workload("a", 9, "cpu 1");
        KueueWorkload displaces = one.workload("a", 1, "cpu 1");
        KueueWorkload other = one.workload("b", 0, "cpu 1");
        Stream.of(high, displaces, other).forEach(queue::add);
        Stream.generate(queue::take)
                .limit(3)
                .toList()
                .forEach(taken -> queue.giveBack(taken, taken == displaces, true));

        assertThat(Stream.generate(queue::take).limit(3)).containsExactly(other, displaces, high);
    }

    @Test
    void a_workload_that_waited_for_others_to_go_does_so_until_it_is_removed() {
        PendingQueue queue = new PendingQueue(false, null);
        KueueWorkload displaces = new KueueWorkload(0, 0, 1, 0, List.of());
        KueueWorkload high = new KueueWorkload(1, 0, 9, 0, List.of());
        queue.add(displaces);
        assertThat(queue.take()).isSameAs(displaces);
        queue.giveBack(displaces, true, false);

        queue.add(high);
        assertThat(queue.take()).isSameAs(displaces);
        queue.remove(displaces);
        queue.add(displaces);
        assertThat(queue.take()).isSameAs(high);
    }

    /** Low and mid usage with priorities 1 and 10: of a queue the larger usage goes first, whatever its priority. */
    @Test
    void those_of_the_queue_that_used_more_are_displaced_first() {
        Case one = new Case("10s", "10s", "8", "UsageBasedAdmissionFairSharing", "")
                .used(10, Map.of("a", "cpu 1", "b", "cpu 5"));
        one.runs("a", "cpu 4");
        KueueWorkload mid = one.workload("b", 10, "cpu 4");
        one.state.admit(mid, one.all(mid), one.nanos);
        KueueWorkload newcomer = one.workload("c", 20, "cpu 4");
        Assignment need = one.all(newcomer);
        BitSet contested = new BitSet();
        contested.set(one.tree.at(0, one.tree.resources.indexOf("cpu")));

        for (PreemptionRule rule : rules(one.state)) {
            assertThat(rule.victims(new PreemptionRule.Need(newcomer, need.usage, contested, null)))
                    .extracting(Victim::workload)
                    .containsExactly(mid);
        }
    }

    private static List<PreemptionRule> rules(KueueState state) {
        PodPlacement placement = new PodPlacement(state);
        return List.of(
                new ClassicalPreemption(state, placement),
                new FairPreemption(state, placement, Arrays.asList(ShareRule.values())));
    }

    /** Usage of different ClusterQueues is not compared: between them priorities decide. */
    @Test
    void between_cluster_queues_priorities_decide() {
        Case one = of("10s", "10s").used(10, Map.of("a", "cpu 1", "b", "cpu 5"));
        KueueWorkload low = one.workload("a", 1, "");
        KueueWorkload mid = one.workload("b", 10, "");
        PreemptionRule rule = rules(one.state).get(0);

        assertThat(rule.ordered(List.of(low, mid), Function.identity(), 0)).containsExactly(mid, low);
        assertThat(rule.ordered(List.of(mid, other(one, 1)), Function.identity(), 0))
                .extracting(workload -> workload.priority)
                .containsExactly(1L, 10L);
        assertThat(rule.ordered(List.of(low, other(one, 5), mid), Function.identity(), 9))
                .extracting(workload -> workload.priority)
                .containsExactly(10L, 5L, 1L);
    }

    private static KueueWorkload other(Case one, long priority) {
        return new KueueWorkload(one.given.size(), 7, priority, 0, List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "usageHalfLifeTime: -1s, usageHalfLifeTime",
        "usageSamplingInterval: soon, usageSamplingInterval",
        "'resourceWeights: {cpu: -1}', cpu"
    })
    void wrong_settings_are_refused(String setting, String field) {
        assertThatThrownBy(() -> KueueFiles.parse(
                        "q.yaml", "kind: Configuration\nadmissionFairSharing: {%s}\n".formatted(setting)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(field);
    }
}
