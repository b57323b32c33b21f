package org.trainyard.agents.heuristic.slurm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SwitchTree;
import org.trainyard.env.workload.Segments;

/**
 * The choice of nodes for a job in segments under {@code topology/block}: each segment is in one of the smallest blocks
 * that can hold it, the lightest and tightest with room. Consolidated segments (Slurm 25.11) are all in one of the
 * smallest blocks that can hold the job, or anywhere where {@code BlockSizes} names none so large.
 *
 * <p>By sbatch(1) and {@code eval_nodes_block.c}, and not held against a recording. Simplified: the nodes of a segment
 * within its block are those that {@link NodeChoice} takes.
 */
final class SegmentChoice {
    private final List<BitSet> byWeight;
    private final SwitchTree tree;
    private final int segment;
    private final int count;

    private SegmentChoice(List<BitSet> byWeight, SwitchTree tree, int segment, int count) {
        this.byWeight = byWeight;
        this.tree = tree;
        this.segment = segment;
        this.count = count;
    }

    /** The nodes chosen, or null when there are too few. */
    static @Nullable BitSet choose(BitSet usable, int nodes, Segments asked, List<BitSet> byWeight, SwitchTree tree) {
        SegmentChoice choice = new SegmentChoice(byWeight, tree, asked.nodes(), nodes / asked.nodes());
        if (nodes % asked.nodes() != 0) {
            return null;
        }
        if (!asked.consolidated()) {
            return choice.all(usable);
        }
        List<BitSet> areas = new ArrayList<>();
        for (BitSet block : tree.blocks(nodes)) {
            areas.add(within(block, usable));
        }
        areas.removeIf(area -> area.cardinality() < nodes);
        while (!areas.isEmpty()) {
            BitSet together = new BitSet();
            areas.forEach(together::or);
            BitSet first = choice.block(together);
            BitSet area = first == null
                    ? areas.get(0)
                    : areas.stream().filter(first::intersects).findFirst().orElseThrow();
            BitSet chosen = choice.all(area);
            if (chosen != null) {
                return chosen;
            }
            areas.remove(area);
        }
        return null;
    }

    private @Nullable BitSet all(BitSet among) {
        BitSet left = (BitSet) among.clone();
        BitSet chosen = new BitSet();
        for (int i = 0; i < count; i++) {
            BitSet block = block(left);
            BitSet nodes = block == null ? null : NodeChoice.choose(block, segment, byWeight, tree);
            if (nodes == null) {
                return null;
            }
            chosen.or(nodes);
            left.andNot(nodes);
        }
        return chosen;
    }

    /**
     * The nodes of a set in the block that is best for a segment; null where none has enough. Of equal ones the last,
     * as in Slurm.
     */
    private @Nullable BitSet block(BitSet left) {
        Comparator<BitSet> order = Comparator.comparingInt(this::lightest).thenComparingInt(BitSet::cardinality);
        return tree.blocks(segment).stream()
                .map(block -> within(block, left))
                .filter(here -> here.cardinality() >= segment)
                .reduce((best, next) -> order.compare(next, best) <= 0 ? next : best)
                .orElse(null);
    }

    private static BitSet within(BitSet block, BitSet among) {
        BitSet here = (BitSet) block.clone();
        here.and(among);
        return here;
    }

    private int lightest(BitSet nodes) {
        return IntStream.range(0, byWeight.size())
                .filter(weight -> byWeight.get(weight).intersects(nodes))
                .findFirst()
                .orElse(byWeight.size());
    }
}
