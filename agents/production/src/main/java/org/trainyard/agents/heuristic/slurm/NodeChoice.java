package org.trainyard.agents.heuristic.slurm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SwitchTree;

/**
 * The choice of nodes of select/cons_tres. Without a topology: of the runs of neighbouring usable nodes the shortest
 * that is long enough; while none is, the longest whole. Within a run, and among runs of a length, the first. With one:
 * of the leaf switches the one with the fewest usable nodes that has enough; while none has, the largest below the
 * tightest switch that has; of the next ones the nearest, unless another suits better for what is still missing.
 */
final class NodeChoice {
    private NodeChoice() {}

    /** The nodes chosen, or null when there are too few. O(runs log runs). */
    static @Nullable BitSet choose(BitSet usable, int nodes) {
        if (usable.cardinality() < nodes) {
            return null;
        }
        BitSet chosen = new BitSet(usable.length());
        long[] runs = new long[16];
        int count = 0;
        int bestFrom = 0;
        int bestLength = Integer.MAX_VALUE;
        for (int from = usable.nextSetBit(0); from >= 0; ) {
            int to = usable.nextClearBit(from);
            int length = to - from;
            if (length >= nodes && length < bestLength) {
                bestFrom = from;
                bestLength = length;
                if (length == nodes) {
                    break;
                }
            }
            if (bestLength == Integer.MAX_VALUE) {
                runs = count == runs.length ? Arrays.copyOf(runs, 2 * count) : runs;
                runs[count++] = longestFirst(from, length);
            }
            from = usable.nextSetBit(to);
        }
        if (bestLength < Integer.MAX_VALUE) {
            chosen.set(bestFrom, bestFrom + nodes);
        } else {
            Arrays.sort(runs, 0, count);
            takeLongest(runs, count, nodes, chosen);
        }
        return chosen;
    }

    /** Chooses by weight: all usable nodes of less weight before any of more; null when there are too few. */
    static @Nullable BitSet choose(BitSet usable, int nodes, List<BitSet> byWeight) {
        if (usable.cardinality() < nodes) {
            return null;
        }
        BitSet chosen = new BitSet(usable.length());
        int needed = nodes;
        for (BitSet ofWeight : byWeight) {
            BitSet here = (BitSet) usable.clone();
            here.and(ofWeight);
            BitSet last = choose(here, needed);
            chosen.or(last == null ? here : last);
            if (last != null) {
                break;
            }
            needed -= here.cardinality();
        }
        return chosen;
    }

    /**
     * Chooses for a job without GPUs, where runs count by their free CPUs: the run with the fewest that is enough, the
     * largest while none is; where one node is missing, the one with the fewest free CPUs in it. O(nodes x runs).
     */
    static @Nullable BitSet choose(BitSet usable, int nodes, List<BitSet> byWeight, int[] freeCpus) {
        if (usable.cardinality() < nodes) {
            return null;
        }
        BitSet chosen = new BitSet(usable.length());
        int needed = nodes;
        for (BitSet ofWeight : byWeight) {
            BitSet left = (BitSet) usable.clone();
            left.and(ofWeight);
            while (needed > 0 && !left.isEmpty()) {
                int[] run = bestRun(left, needed, freeCpus);
                left.clear(run[0], run[1]);
                int first = run[0];
                for (int node = run[0]; needed == 1 && node < run[1]; node++) {
                    first = freeCpus[node] < freeCpus[first] ? node : first;
                }
                int taken = Math.min(needed, run[1] - first);
                chosen.set(first, first + taken);
                needed -= taken;
            }
        }
        return chosen;
    }

    /** The first node of a run and the one after its last. */
    private static int[] bestRun(BitSet left, int needed, int[] freeCpus) {
        int[] best = {};
        long bestCpus = 0;
        boolean isBestEnough = false;
        for (int from = left.nextSetBit(0); from >= 0; ) {
            int to = left.nextClearBit(from);
            long cpus = 0;
            for (int node = from; node < to; node++) {
                cpus += freeCpus[node];
            }
            boolean isEnough = to - from >= needed;
            if (best.length == 0
                    || (isEnough && !isBestEnough)
                    || (isEnough && cpus < bestCpus)
                    || (!isEnough && !isBestEnough && cpus > bestCpus)) {
                best = new int[] {from, to};
                bestCpus = cpus;
                isBestEnough = isEnough;
            }
            from = left.nextSetBit(to);
        }
        return best;
    }

    /**
     * Chooses by the switches of a cluster. Of several top switches it is the one below which the lowest and tightest
     * switch has enough nodes, for no job spans two.
     */
    static @Nullable BitSet choose(BitSet usable, int nodes, List<BitSet> byWeight, SwitchTree tree) {
        if (tree.roots().size() == 1) {
            return chooseBelow(usable, nodes, byWeight, tree);
        }
        BitSet best = null;
        long bestFit = Long.MAX_VALUE;
        for (int root : tree.roots()) {
            BitSet below = tree.below(root, usable);
            for (int at = 0; at < tree.size() && below.cardinality() >= nodes; at++) {
                int count = tree.count(at, below);
                long fit = ((long) tree.level(at) << Integer.SIZE) + count;
                if (count >= nodes && fit < bestFit) {
                    bestFit = fit;
                    best = below;
                }
            }
        }
        return best == null ? null : chooseBelow(best, nodes, byWeight, tree);
    }

    /** Lighter nodes all, then those of their leaves, then those of others. */
    private static @Nullable BitSet chooseBelow(BitSet usable, int nodes, List<BitSet> byWeight, SwitchTree tree) {
        if (usable.cardinality() < nodes) {
            return null;
        }
        BitSet chosen = new BitSet(usable.length());
        BitSet last = new BitSet();
        for (BitSet ofWeight : byWeight) {
            chosen.or(last);
            last = (BitSet) usable.clone();
            last.and(ofWeight);
            if (chosen.cardinality() + last.cardinality() >= nodes) {
                break;
            }
        }
        BitSet best = (BitSet) chosen.clone();
        best.or(last);
        int[] counts = new int[tree.size()];
        Arrays.setAll(counts, at -> tree.count(at, best));
        int[] distances = new int[tree.size()];
        BitSet lighter = (BitSet) chosen.clone();
        int needed = nodes - chosen.cardinality();
        for (int at = 0; at < tree.size(); at++) {
            if (tree.isLeaf(at) && tree.count(at, lighter) > 0) {
                needed -= takeLeaf(tree, at, last, needed, chosen, counts, distances);
            }
        }
        while (needed > 0) {
            int leaf = -1;
            for (int at = 0; at < tree.size(); at++) {
                if (tree.isLeaf(at) && counts[at] > 0 && isBetter(tree, at, leaf, needed, counts, distances)) {
                    leaf = at;
                }
            }
            needed -= takeLeaf(tree, leaf, last, needed, chosen, counts, distances);
        }
        return chosen;
    }

    private static int takeLeaf(
            SwitchTree tree, int leaf, BitSet of, int most, BitSet chosen, int[] counts, int[] distances) {
        int taken = 0;
        BitSet here = tree.below(leaf, of);
        for (int node = here.nextSetBit(0); node >= 0 && taken < most; node = here.nextSetBit(node + 1)) {
            chosen.set(node);
            taken++;
        }
        counts[leaf] = 0;
        for (int at = 0; at < distances.length; at++) {
            distances[at] += tree.distance(leaf, at);
        }
        return taken;
    }

    private static boolean isBetter(SwitchTree tree, int leaf, int than, int needed, int[] counts, int[] distances) {
        if (than < 0) {
            return true;
        }
        int fit = compareFit(tree, leaf, than, needed, counts);
        return distances[leaf] < distances[than] ? fit >= 0 : distances[leaf] == distances[than] && fit > 0;
    }

    /** Positive where a first leaf, or the first switch above it that tells them apart, suits better than another. */
    private static int compareFit(SwitchTree tree, int leaf, int other, int needed, int[] counts) {
        int a = leaf;
        int b = other;
        while (counts[a] < needed && counts[b] < needed && tree.parent(a) != tree.parent(b)) {
            a = tree.parent(a);
            b = tree.parent(b);
        }
        boolean isEnough = counts[a] >= needed;
        if (isEnough != counts[b] >= needed) {
            return isEnough ? 1 : -1;
        }
        if (counts[a] != counts[b]) {
            return isEnough == counts[a] < counts[b] ? 1 : -1;
        }
        return Integer.compare(tree.level(b), tree.level(a));
    }

    /** A run as a number, so that longer runs come first, and of a length the first. */
    private static long longestFirst(int from, int length) {
        return (long) (Integer.MAX_VALUE - length) << Integer.SIZE | from;
    }

    private static int length(long run) {
        return Integer.MAX_VALUE - (int) (run >>> Integer.SIZE);
    }

    private static void takeLongest(long[] runs, int count, int nodes, BitSet chosen) {
        int needed = nodes;
        int next = 0;
        while (length(runs[next]) < needed) {
            int from = (int) runs[next];
            chosen.set(from, from + length(runs[next]));
            needed -= length(runs[next]);
            next++;
        }
        int shortest = next;
        for (int i = next + 1; i < count && length(runs[i]) >= needed; i++) {
            shortest = length(runs[i]) < length(runs[shortest]) ? i : shortest;
        }
        int from = (int) runs[shortest];
        chosen.set(from, from + needed);
    }
}
