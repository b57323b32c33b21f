package org.trainyard.agents.heuristic.slurm;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The choice of nodes of select/cons_tres without a topology: of the runs of neighbouring usable nodes the shortest that
 * is long enough; while none is, the longest whole. Within a run, and among runs of a length, the first.
 */
final class NodeChoice {
    private NodeChoice() {}

    /** The nodes chosen, or null when there are too few. */
    static @Nullable BitSet choose(BitSet usable, int nodes) {
        if (usable.cardinality() < nodes) {
            return null;
        }
        BitSet left = (BitSet) usable.clone();
        BitSet chosen = new BitSet(usable.length());
        int needed = nodes;
        while (needed > 0) {
            int bestFrom = 0;
            int bestLength = 0;
            for (int from = left.nextSetBit(0); from >= 0; ) {
                int to = left.nextClearBit(from);
                int length = to - from;
                boolean enough = length >= needed;
                if (enough ? bestLength < needed || length < bestLength : length > bestLength) {
                    bestFrom = from;
                    bestLength = length;
                }
                from = left.nextSetBit(to);
            }
            int taken = Math.min(needed, bestLength);
            chosen.set(bestFrom, bestFrom + taken);
            left.clear(bestFrom, bestFrom + bestLength);
            needed -= taken;
        }
        return chosen;
    }
}
