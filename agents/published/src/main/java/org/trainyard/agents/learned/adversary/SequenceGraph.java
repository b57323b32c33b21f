package org.trainyard.agents.learned.adversary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of an {@link AllocationGame}, those joined into a node after which everything is the same: the round,
 * what the policy reads, and the offline optimum of whatever follows.
 *
 * @param examples a sequence for each node, the shorter first
 * @param next by node and request; none after the last round
 * @param optima the offline optimum by node
 */
@SuppressWarnings("ArrayRecordComponent") // numbers of a solver, never compared
record SequenceGraph(AllocationGame game, List<int[]> examples, List<int[]> next, double[] optima) {
    private static final int MOST_NODES = 300_000;

    private record Key(List<Double> optima, int greatest) {}

    /** The graph, or null for one of too many nodes. */
    static @Nullable SequenceGraph of(AllocationGame game) {
        List<int[]> examples = new ArrayList<>(List.of(new int[0]));
        List<int[]> next = new ArrayList<>();
        Map<Key, Integer> known = new HashMap<>();
        int round = 0;
        for (int node = 0; node < examples.size() && examples.size() <= MOST_NODES; node++) {
            int[] begun = examples.get(node);
            if (begun.length == round) {
                known.clear();
                round++;
            }
            int[] children = new int[begun.length < game.rounds() ? game.requests() : 0];
            for (int request = 0; request < children.length; request++) {
                int[] longer = Arrays.copyOf(begun, begun.length + 1);
                longer[begun.length] = request;
                Integer child = known.putIfAbsent(key(game, longer), examples.size());
                children[request] = child == null ? examples.size() : child;
                if (child == null) {
                    examples.add(longer);
                }
            }
            next.add(children);
        }
        return examples.size() > MOST_NODES
                ? null
                : new SequenceGraph(
                        game,
                        examples,
                        next,
                        examples.stream().mapToDouble(game::optimum).toArray());
    }

    private static Key key(AllocationGame game, int... sequence) {
        List<Double> optima = Arrays.stream(game.optima(sequence)).boxed().toList();
        return new Key(optima, game.greatest(sequence, sequence.length));
    }
}
