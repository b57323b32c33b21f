package org.trainyard.agents.heuristic.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest.Mode;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;

/**
 * Failed nodes in the cases of Kueue's own tests (v0.19.2: those of {@code TestScheduleForTAS} with an unhealthy node,
 * and two of {@code TestFindTopologyAssignmentsMultiLayerReplacement}).
 */
class NodeReplacementTest {
    /** Nodes of one CPU and 1 GiB, but x6 with 2 and 4 GiB; x0 and x7 are gone. */
    private static final String NODES =
            "b1/r1/x1 b1/r2/x2 b1/r2/x3 b1/r2/x4 b2/r1/x5 b2/r2/x6:2000:4 b3/r3/x0:0:0 b3/r3/x7:0:0";

    private static final String QUEUE = """
            kind: Topology
            metadata: {name: tree}
            spec:
              levels: [{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: hostname}]
            ---
            kind: ResourceFlavor
            metadata: {name: any}
            spec: {topologyName: tree}
            ---
            kind: ClusterQueue
            metadata: {name: all}
            spec:
              resourceGroups:
              - coveredResources: [cpu, memory]
                flavors:
                - name: any
                  resources: [{name: cpu, nominalQuota: 50}, {name: memory, nominalQuota: 50}]
            """;

    private static TopologyTree tree(String nodes) {
        List<List<String>> values = new ArrayList<>();
        List<long[]> has = new ArrayList<>();
        for (String node : nodes.split(" ")) {
            String[] parts = node.split(":");
            values.add(List.of(parts[0].split("/")));
            has.add(
                    parts.length == 1
                            ? new long[] {1000, 1}
                            : new long[] {Long.parseLong(parts[1]), Long.parseLong(parts[2])});
        }
        return new TopologyTree(List.of("block", "rack", "hostname"), values, has);
    }

    private static int leaf(TopologyTree tree, String host) {
        return tree.leaves.stream()
                .filter(leaf -> leaf.values.get(2).equals(host))
                .findFirst()
                .orElseThrow()
                .leaf;
    }

    /** Such as {@code x1 3 x2 5}. */
    private static int[] pods(TopologyTree tree, String on) {
        String[] parts = on.split(" ");
        int[] pods = new int[parts.length];
        for (int i = 0; i < pods.length; i += 2) {
            pods[i] = leaf(tree, parts[i]);
            pods[i + 1] = Integer.parseInt(parts[i + 1]);
        }
        return pods;
    }

    private static String text(TopologyTree tree, int @Nullable [] pods) {
        StringJoiner text = new StringJoiner(" ");
        for (int i = 0; pods != null && i < pods.length; i += 2) {
            text.add(tree.leaves.get(pods[i]).values.get(2) + " " + pods[i + 1]);
        }
        return text.toString();
    }

    /** Such as {@code required rack} or {@code preferred block 2 rack}. */
    private static TopologyRequest request(String text) {
        String[] parts = text.split(" ");
        return new TopologyRequest(
                Mode.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                parts[1],
                parts.length > 2 ? Integer.parseInt(parts[2]) : 1,
                parts.length > 2 ? parts[3] : null);
    }

    /** Places of the pods of each set after nodes have failed, or {@code evicted}. */
    private static String after(String nodes, String failed, String request, long cpu, long memory, String... sets) {
        TopologyTree topology = tree(nodes);
        QuotaTree tree = new QuotaTree(KueueFiles.parse("case", QUEUE));
        KueueState state = new KueueState(tree, flavor -> topology);
        List<PodSet> podSets = new ArrayList<>();
        Assignment given = new Assignment(sets.length, 2, tree.size());
        for (int set = 0; set < sets.length; set++) {
            int[] pods = pods(topology, sets[set]);
            int count = 0;
            for (int i = 1; i < pods.length; i += 2) {
                count += pods[i];
            }
            podSets.add(new PodSet(count, new long[] {cpu, memory}, flavor -> true, request(request)));
            given.pods[set] = pods;
            given.podFlavors[set] = 0;
        }
        KueueWorkload workload = new KueueWorkload(0, 0, 0, 0, podSets);
        state.admit(workload, given, 0);
        for (String host : failed.split(" ")) {
            Arrays.fill(topology.capacity[leaf(topology, host)], 0);
        }
        boolean succeeds = NodeReplacement.succeeds(state, workload);
        StringJoiner places = new StringJoiner(" | ");
        Arrays.stream(given.pods).forEach(pods -> places.add(text(topology, pods)));
        state.end(workload);
        assertThat(topology.usage).isDeepEqualTo(new long[topology.leaves.size()][2]);
        return succeeds ? places.toString() : "evicted";
    }

    @ParameterizedTest
    @CsvSource({
        "preferred hostname, 1000, x0, x0 1, x1 1",
        "preferred rack, 500, x0, x0 1 x1 1, x1 2",
        "preferred rack, 3000, x0, x0 1, evicted",
        "required rack, 1000, x0, x0 1 x2 1, x2 1 x3 1",
        "required rack, 1000, x0, x0 1, x1 1",
        "required rack, 1000, x0, x0 1 x1 1, evicted",
        "preferred block 2 rack, 1000, x2, x2 1 x3 1, x3 1 x4 1",
        "preferred block 8 rack, 250, x2, x2 4 x3 4, x3 4 x4 4",
        "required block 4 rack, 250, x3, x2 4 x3 4 x4 4, x1 4 x2 4 x4 4",
        "required block 2 rack, 200, x1, x1 3 x2 5, x2 5 x3 3",
        "required rack 2 hostname, 250, x1, x1 4, x5 4",
        "preferred block 4 block, 500, x7, x1 2 x3 2 x5 2 x7 2, x1 2 x3 2 x5 2 x6 2",
        "preferred block 2 rack, 1000, x0, x0 1 x1 1, evicted"
    })
    void the_pods_of_a_failed_node_find_another_and_others_stay(
            String request, long cpu, String failed, String before, String expected) {
        assertThat(after(NODES, failed, request, cpu, 0, before)).isEqualTo(expected);
    }

    @Test
    void each_pod_set_keeps_its_own_node() {
        assertThat(after(NODES, "x0", "preferred hostname", 1000, 0, "x0 1", "x1 1"))
                .isEqualTo("x2 1 | x1 1");
    }

    @Test
    void all_that_pods_ask_for_counts() {
        assertThat(after(NODES, "x0", "preferred rack", 1000, 2, "x0 1")).isEqualTo("x6 1");
    }

    @Test
    void another_rack_of_a_similar_name_is_no_part_of_the_required_one() {
        assertThat(after("b1/rack-a/x1 b1/rack-a/x2 b1/rack-ab/x3", "x1", "required rack", 1000, 0, "x1 1 x2 1"))
                .isEqualTo("evicted");
    }

    @Test
    void the_rest_of_a_slice_must_have_room_beside_it() {
        assertThat(after(
                        "b1/r1/x1 b1/r1/x2 b1/r2/x3 b1/r2/x4:1500:1",
                        "x3",
                        "required block 2 rack",
                        1000,
                        0,
                        "x1 1 x2 1 x3 1 x4 1"))
                .isEqualTo("evicted");
    }

    @Test
    void several_failed_nodes_evict() {
        assertThat(after(NODES, "x1 x2", "preferred rack", 250, 0, "x1 1 x2 1")).isEqualTo("evicted");
    }

    @Test
    void without_a_failed_node_all_stay() {
        assertThat(after(NODES, "x5", "preferred rack", 250, 0, "x1 1 x2 1")).isEqualTo("x1 1 x2 1");
    }
}
