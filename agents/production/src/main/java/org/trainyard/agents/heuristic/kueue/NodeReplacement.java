package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest.Mode;
import org.trainyard.agents.heuristic.kueue.TopologyTree.Part;

/**
 * Replacement of a failed node as in Kueue 0.19 ({@code TASFailedNodeReplacement} with {@code FailFast}): the pods of
 * that node find another, and all others stay; without one, or when several nodes failed, the workload is evicted.
 */
final class NodeReplacement {
    private final TopologyTree tree;
    private final PodSet pods;
    private final int failed;
    private final TreeMap<Integer, Integer> left = new TreeMap<>();
    private final int missing;

    private NodeReplacement(TopologyTree tree, PodSet pods, int[] on, int failed) {
        this.tree = tree;
        this.pods = pods;
        this.failed = failed;
        for (int i = 0; i < on.length; i += 2) {
            left.put(on[i], on[i + 1]);
        }
        Integer lost = left.remove(failed);
        missing = lost == null ? 0 : lost;
    }

    /** Whether all pods of an admitted workload have nodes, or have them now. */
    static boolean succeeds(KueueState state, KueueWorkload workload) {
        Assignment given = KueueState.admission(workload);
        List<String> failures = new ArrayList<>();
        for (int set = 0; set < given.podFlavors.length; set++) {
            int[] on = given.pods[set];
            TopologyTree tree = on == null ? null : state.topology(given.podFlavors[set]);
            for (int i = 0; on != null && tree != null && TopologyTree.hasNodes(tree.labels) && i < on.length; i += 2) {
                if (tree.hasFailed(on[i])) {
                    NodeReplacement replacement = new NodeReplacement(tree, workload.podSets.get(set), on, on[i]);
                    String name = String.join("/", tree.leaves.get(on[i]).values);
                    int[] merged = failures.isEmpty() || failures.contains(name) ? replacement.find() : null;
                    if (merged == null) {
                        return false;
                    }
                    failures.add(name);
                    tree.use(on, replacement.pods.perPod, -1);
                    tree.use(merged, replacement.pods.perPod, 1);
                    given.pods[set] = merged;
                }
            }
        }
        return true;
    }

    private int @Nullable [] find() {
        TopologyRequest request = pods.topology;
        int slice = request == null ? 1 : request.slice();
        boolean isSplit = missing % slice != 0;
        List<String> domain = left.isEmpty() || request == null ? null : domain(request, isSplit);
        if (isSplit && domain == null) {
            return null;
        }
        Predicate<Part> within = leaf -> leaf.leaf != failed
                && (domain == null || leaf.values.subList(0, domain.size()).equals(domain));
        TopologyRequest alone =
                isSplit && request != null ? new TopologyRequest(request.mode(), request.level(), 1, null) : request;
        int[] found =
                TopologySearch.find(tree, new PodSet(missing, pods.perPod, pods.flavors, alone), false, null, within);
        if (found == null) {
            return null;
        }
        for (int i = 0; i < found.length; i += 2) {
            left.merge(found[i], found[i + 1], Integer::sum);
        }
        return left.entrySet().stream()
                .sorted(Comparator.comparing(one -> tree.leaves.get(one.getKey()), TopologySearch.BY_NAME))
                .flatMapToInt(one -> IntStream.of(one.getKey(), one.getValue()))
                .toArray();
    }

    /**
     * The part of the tree in which the pods must be: of the slice that is not whole, or of the level that is required.
     */
    private @Nullable List<String> domain(TopologyRequest request, boolean isSplit) {
        if (!isSplit) {
            return request.mode() == Mode.REQUIRED ? above(left.firstKey(), request.level()) : null;
        }
        Map<List<String>, Integer> counts = new LinkedHashMap<>();
        left.forEach((leaf, count) -> counts.merge(above(leaf, request.sliceLevel()), count, Integer::sum));
        return counts.entrySet().stream()
                .filter(one -> (one.getValue() + missing) % request.slice() == 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private List<String> above(int leaf, @Nullable String level) {
        List<String> values = tree.leaves.get(leaf).values;
        return level == null ? values : values.subList(0, tree.labels.indexOf(level) + 1);
    }
}
