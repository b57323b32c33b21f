package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.ServerSpec;

/** The nodes of a flavor as the leaves of a tree whose levels are labels: what they have, and what pods hold of it. */
final class TopologyTree {
    /** A part of the tree; a search writes into it how much fits. */
    static final class Part {
        /** Values of its labels, from the top. */
        final List<String> values;

        final List<Part> below = new ArrayList<>();
        /** Index of a leaf; -1 for others. */
        final int leaf;

        /** Pods that fit, or, once chosen, are to go there. */
        long pods;
        /** Slices that fit, or, once chosen, are to go there. */
        long slices;

        private Part(List<String> values, @Nullable Part above, int leaf) {
            this.values = List.copyOf(values);
            this.leaf = leaf;
            if (above != null) {
                above.below.add(this);
            }
        }
    }

    /** Labels of the levels, from the top. */
    final List<String> labels;

    final List<List<Part>> levels = new ArrayList<>();

    final List<Part> leaves = new ArrayList<>();
    /** By leaf and resource. */
    final long[][] capacity;

    final long[][] usage;

    /**
     * @param values for each leaf the values of its labels, from the top; leaves of the same values are one
     * @param has for each of them what it has of each resource
     */
    TopologyTree(List<String> labels, List<List<String>> values, List<long[]> has) {
        this.labels = List.copyOf(labels);
        labels.forEach(label -> levels.add(new ArrayList<>()));
        Map<String, Part> known = new TreeMap<>();
        List<long[]> sums = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Part leaf = part(values.get(i), known);
            if (leaf.leaf == sums.size()) {
                sums.add(new long[has.get(i).length]);
            }
            add(sums.get(leaf.leaf), has.get(i));
        }
        capacity = sums.toArray(long[][]::new);
        usage = new long[capacity.length][];
        for (int leaf = 0; leaf < usage.length; leaf++) {
            usage[leaf] = new long[capacity[leaf].length];
        }
    }

    /** Adds what a node has to a leaf; amounts without end stay so. */
    static void add(long[] sum, long[] has) {
        for (int resource = 0; resource < sum.length; resource++) {
            sum[resource] = Math.min(ServerSpec.UNLIMITED, sum[resource] + has[resource]);
        }
    }

    private Part part(List<String> values, Map<String, Part> known) {
        Part part = known.get(String.join(",", values));
        if (part == null) {
            int level = values.size() - 1;
            Part above = level == 0 ? null : part(values.subList(0, level), known);
            boolean isLeaf = values.size() == labels.size();
            part = new Part(values, above, isLeaf ? leaves.size() : -1);
            levels.get(level).add(part);
            if (isLeaf) {
                leaves.add(part);
            }
            known.put(String.join(",", values), part);
        }
        return part;
    }

    /** Gives pods room on leaves: pairs of a leaf and a number of pods. */
    void use(int[] pods, long[] perPod, int times) {
        for (int i = 0; i < pods.length; i += 2) {
            long[] held = usage[pods[i]];
            for (int resource = 0; resource < held.length; resource++) {
                held[resource] += (long) times * pods[i + 1] * perPod[resource];
            }
        }
    }

    /** Whether the leaves are nodes, to which pods are bound. */
    static boolean hasNodes(List<String> labels) {
        return labels.get(labels.size() - 1).toLowerCase(Locale.ROOT).contains("host");
    }

    /** Whether a leaf has less than its pods hold: it failed, or a part of it did. */
    boolean hasFailed(int leaf) {
        return IntStream.range(0, usage[leaf].length)
                .anyMatch(resource -> usage[leaf][resource] > capacity[leaf][resource]);
    }

    /** Whether each of the leaves has room for its pods. */
    boolean fits(int[] pods, long[] perPod) {
        for (int i = 0; i < pods.length; i += 2) {
            if (count(pods[i], perPod, false, null) < pods[i + 1]) {
                return false;
            }
        }
        return true;
    }

    /**
     * How many pods fit on a leaf.
     *
     * @param empty whether nothing is on it
     * @param assumed what else is to be on it, or null
     */
    long count(int leaf, long[] perPod, boolean empty, long @Nullable [] assumed) {
        long most = Integer.MAX_VALUE;
        for (int resource = 0; resource < perPod.length; resource++) {
            if (perPod[resource] > 0) {
                long free = capacity[leaf][resource]
                        - (empty ? 0 : usage[leaf][resource])
                        - (assumed == null ? 0 : assumed[resource]);
                most = Math.min(most, free / perPod[resource]);
            }
        }
        return most;
    }
}
