package org.trainyard.agents.heuristic.slurm;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The order in which nodes become usable to jobs of one size while running jobs end one after another. Nodes are gained
 * and never lost, so each node has the one end from which on it is usable.
 */
final class ReleaseOrder {
    /** The end of a running job that makes no node usable. */
    static final int NEVER = Integer.MAX_VALUE;

    private static final int STRIDE = 64;

    /** The nodes in that order, those never usable left out. */
    private final int[] nodes;
    /** By node in that order, the end at which it is released, counted from 0; -1 for nodes that are usable now. */
    private final int[] ends;
    /** The set of the first 0, 64, 128, ... of them. */
    private final long[][] firsts;

    /** @param endOf of each node the end from which on it is usable: -1 for now, or {@link #NEVER} */
    ReleaseOrder(int[] endOf, int allEnds) {
        int[] before = new int[allEnds + 2];
        for (int end : endOf) {
            if (end != NEVER) {
                before[end + 2]++;
            }
        }
        for (int i = 1; i < before.length; i++) {
            before[i] += before[i - 1];
        }
        int count = before[allEnds + 1];
        nodes = new int[count];
        ends = new int[count];
        for (int node = 0; node < endOf.length; node++) {
            if (endOf[node] != NEVER) {
                int at = before[endOf[node] + 1]++;
                nodes[at] = node;
                ends[at] = endOf[node];
            }
        }
        firsts = new long[count / STRIDE + 1][];
        long[] set = new long[(endOf.length + 63) / 64];
        for (int at = 0; at <= count; at++) {
            if (at % STRIDE == 0) {
                firsts[at / STRIDE] = set.clone();
            }
            if (at < count) {
                set[nodes[at] >> 6] |= 1L << nodes[at];
            }
        }
    }

    /** The end from which on so many nodes of a set are usable, -1 for now, or {@link #NEVER}. */
    int endWith(long[] among, int wanted) {
        int low = 0;
        int high = firsts.length;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (common(firsts[middle], among) < wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        int count = common(firsts[low], among);
        for (int at = low * STRIDE; at < nodes.length; at++) {
            int node = nodes[at];
            if (node >> 6 < among.length && (among[node >> 6] >>> node & 1) != 0 && ++count == wanted) {
                return ends[at];
            }
        }
        return NEVER;
    }

    private static int common(long[] set, long[] other) {
        int count = 0;
        for (int word = 0; word < Math.min(set.length, other.length); word++) {
            count += Long.bitCount(set[word] & other[word]);
        }
        return count;
    }

    /** The nodes of a set that are usable from an end on. */
    BitSet usable(long[] among, int end) {
        int count = Arrays.binarySearch(ends, end);
        if (count < 0) {
            count = -count - 1;
        }
        while (count < ends.length && ends[count] <= end) {
            count++;
        }
        long[] set = firsts[count / STRIDE].clone();
        for (int at = count / STRIDE * STRIDE; at < count; at++) {
            set[nodes[at] >> 6] |= 1L << nodes[at];
        }
        for (int word = 0; word < set.length; word++) {
            set[word] &= word < among.length ? among[word] : 0;
        }
        return BitSet.valueOf(set);
    }
}
