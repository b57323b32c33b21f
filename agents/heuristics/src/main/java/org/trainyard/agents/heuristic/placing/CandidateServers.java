package org.trainyard.agents.heuristic.placing;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;

/** The candidate servers of a placement: a range of servers is iterated over, filtered and scored. */
public final class CandidateServers {
    private CandidateServers() {}

    /**
     * The server from {@code from} to below {@code to} with the lowest score, the first of equals; {@link SimView#NONE}
     * without candidates.
     */
    public static int lowest(int from, int to, IntPredicate isCandidate, IntToDoubleFunction score) {
        return lowest(from, to, isCandidate, score, server -> 0);
    }

    /**
     * The candidate from {@code from} to below {@code to} with the lowest score; of equal scores the one with the lower
     * second score, then the first; {@link SimView#NONE} without candidates.
     */
    public static int lowest(
            int from, int to, IntPredicate isCandidate, IntToDoubleFunction score, IntToDoubleFunction second) {
        int best = SimView.NONE;
        double lowest = 0;
        for (int server = from; server < to; server++) {
            if (isCandidate.test(server)) {
                double here = score.applyAsDouble(server);
                if (best == SimView.NONE
                        || here < lowest
                        || (here == lowest && second.applyAsDouble(server) < second.applyAsDouble(best))) {
                    best = server;
                    lowest = here;
                }
            }
        }
        return best;
    }

    /**
     * The servers with room for a worker of the builder's demand, lowest score first; equals in the order of their
     * indices.
     */
    public static int[] sorted(PlacementBuilder builder, int servers, IntToDoubleFunction score) {
        int[] sorted = IntStream.range(0, servers)
                .filter(server -> builder.available(server) > 0)
                .toArray();
        IntArrays.mergeSort(sorted, (a, b) -> Double.compare(score.applyAsDouble(a), score.applyAsDouble(b)));
        return sorted;
    }
}
