package org.trainyard.agents.heuristic.kueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest;
import org.trainyard.agents.heuristic.kueue.PodSet.TopologyRequest.Mode;
import org.trainyard.agents.heuristic.kueue.TopologyTree.Part;

/**
 * Finds leaves of a topology for pods that are alike: on one part of the level that they ask for, on few parts, or on
 * those with the least room.
 *
 * <p>A pod set that prefers a level goes to one part of it, else of the level above, and so on; at the top, to as few
 * as possible. Among parts that would do, the one with the least room is taken. Pods without wishes fill the parts with
 * the least room first.
 */
final class TopologySearch {
    static final Comparator<Part> BY_NAME = (a, b) -> {
        for (int i = 0; i < a.values.size(); i++) {
            int order = a.values.get(i).compareTo(b.values.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    };

    private final TopologyTree tree;
    private final int count;
    private final int slice;
    private final boolean anywhere;
    private final boolean required;
    private final int level;
    private final int sliceLevel;

    private TopologySearch(TopologyTree tree, PodSet pods) {
        this.tree = tree;
        count = pods.count;
        TopologyRequest request = pods.topology;
        int lowest = tree.labels.size() - 1;
        if (request == null) {
            slice = 1;
            sliceLevel = lowest;
        } else {
            slice = request.slice();
            sliceLevel = request.sliceLevel() == null ? lowest : tree.labels.indexOf(request.sliceLevel());
        }
        anywhere = request == null || request.mode() == Mode.UNCONSTRAINED;
        required = request != null && request.mode() == Mode.REQUIRED;
        boolean sliceAlone = request != null && anywhere && request.sliceLevel() != null;
        level = sliceAlone
                ? 0
                : request == null || request.level() == null ? lowest : tree.labels.indexOf(request.level());
    }

    /**
     * The leaves for the pods, as pairs of a leaf and a number; null when there is no room.
     *
     * @param empty whether to take the nodes as empty
     * @param assumed by leaf what other pods of the same workload will hold
     */
    static int @Nullable [] find(TopologyTree tree, PodSet pods, boolean empty, long @Nullable [][] assumed) {
        return find(tree, pods, empty, assumed, leaf -> true);
    }

    /** @param within the leaves that may be used */
    static int @Nullable [] find(
            TopologyTree tree, PodSet pods, boolean empty, long @Nullable [][] assumed, Predicate<Part> within) {
        TopologySearch search = new TopologySearch(tree, pods);
        if (search.level < 0 || search.sliceLevel < search.level || tree.leaves.isEmpty()) {
            return null;
        }
        for (Part leaf : tree.leaves) {
            leaf.pods = within.test(leaf)
                    ? tree.count(leaf.leaf, pods.perPod, empty, assumed == null ? null : assumed[leaf.leaf])
                    : 0;
        }
        tree.levels.get(0).forEach(top -> search.count(top, 0));
        return search.run();
    }

    private void count(Part part, int at) {
        if (!part.below.isEmpty()) {
            part.pods = 0;
            part.slices = 0;
            for (Part child : part.below) {
                count(child, at + 1);
                part.pods += child.pods;
                part.slices += child.slices;
            }
        } else {
            part.slices = 0;
        }
        if (at == sliceLevel) {
            part.slices = part.pods / slice;
        }
    }

    private int @Nullable [] run() {
        int at = level;
        List<Part> parts = on(at);
        while (parts == null) {
            if (required || anywhere || at == 0) {
                return null;
            }
            parts = on(--at);
        }
        parts = cut(parts, count, true);
        int last = tree.labels.size() - 1;
        for (; at < Math.min(last, sliceLevel); at++) {
            List<Part> below = new ArrayList<>();
            parts.forEach(part -> below.addAll(part.below));
            parts = cut(sorted(below), count, true);
        }
        for (; at < last; at++) {
            List<Part> below = new ArrayList<>();
            parts.forEach(part -> below.addAll(cut(sorted(part.below), part.pods, false)));
            parts = below;
        }
        return leaves(parts);
    }

    private static int[] leaves(List<Part> parts) {
        return parts.stream()
                .filter(part -> part.pods > 0)
                .sorted(BY_NAME)
                .flatMapToInt(part -> IntStream.of(part.leaf, (int) part.pods))
                .toArray();
    }

    /** The parts of a level that are enough, or null; several only where nothing above is left to try. */
    private @Nullable List<Part> on(int at) {
        List<Part> sorted = sorted(tree.levels.get(at));
        long slices = count / slice;
        if (anywhere) {
            for (Part part : sorted) {
                if (part.slices >= slices) {
                    return List.of(part);
                }
            }
        } else if (sorted.get(0).slices >= slices) {
            return List.of(tightest(sorted, slices, true));
        }
        if (required || (at > 0 && !anywhere)) {
            return null;
        }
        List<Part> several = new ArrayList<>();
        long left = slices;
        for (int i = 0; left > 0 && i < sorted.size(); i++) {
            Part part = sorted.get(i);
            if (!anywhere && part.slices >= left) {
                part = tightest(sorted.subList(i, sorted.size()), left, true);
            }
            several.add(part);
            left -= part.slices;
        }
        return left > 0 ? null : several;
    }

    /** Gives each part no more than what is left, until all is given. */
    private List<Part> cut(List<Part> parts, long pods, boolean inSlices) {
        List<Part> taken = new ArrayList<>();
        int size = inSlices ? slice : 1;
        long left = pods / size;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (!anywhere && room(part, inSlices) >= left) {
                part = tightest(parts.subList(i, parts.size()), left, inSlices);
            }
            taken.add(part);
            long gets = Math.min(left, room(part, inSlices));
            part.pods = gets * size;
            part.slices = inSlices ? gets : part.slices;
            left -= gets;
            if (left == 0) {
                return taken;
            }
        }
        throw new IllegalStateException("%d pods are left over of %d".formatted(left, pods));
    }

    private static long room(Part part, boolean inSlices) {
        return inSlices ? part.slices : part.pods;
    }

    private static Part tightest(List<Part> parts, long needed, boolean inSlices) {
        Part best = parts.get(0);
        for (Part part : parts) {
            if (room(part, inSlices) >= needed && room(part, inSlices) < room(best, inSlices)) {
                best = part;
            }
        }
        return best;
    }

    private List<Part> sorted(List<Part> parts) {
        List<Part> sorted = new ArrayList<>(parts);
        sorted.sort(Comparator.<Part>comparingLong(part -> anywhere ? part.slices : -part.slices)
                .thenComparingLong(part -> part.pods)
                .thenComparing(BY_NAME));
        return sorted;
    }
}
