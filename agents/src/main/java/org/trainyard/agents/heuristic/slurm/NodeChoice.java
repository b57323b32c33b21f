package org.trainyard.agents.heuristic.slurm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choice of nodes of select/cons_tres without a topology: of the runs of neighbouring usable nodes the shortest
 * that is long enough; while none is, the longest whole. Within a run, and among runs of a length, the first.
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

    /** The same where nodes have weights: all usable ones of less weight before any of more. */
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
