package org.trainyard.agents.heuristic.placing;

import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/** Fills servers in a given order with the workers of any demand: parts of GPUs, GPU types, host resources. */
public final class ConstrainedFit {
    private ConstrainedFit() {}

    /** The first server that holds all workers or, failing that, one server after the other as in {@link #fill}. */
    public static @Nullable Placement wholeOrFill(
            PlacementBuilder builder, Demand demand, int servers, IntUnaryOperator order) {
        int workers = Math.max(1, demand.gpus());
        for (int i = 0; i < servers; i++) {
            int server = order.applyAsInt(i);
            if (builder.available(server) >= workers) {
                builder.take(server, workers);
                return builder.build();
            }
        }
        return fill(builder, demand, servers, order);
    }

    /**
     * Takes as many workers as fit on one server after the other.
     *
     * @param builder begun for the demand
     * @param order the i-th server to try
     * @return null when they do not all fit; the builder is empty then
     */
    public static @Nullable Placement fill(
            PlacementBuilder builder, Demand demand, int servers, IntUnaryOperator order) {
        int left = Math.max(1, demand.gpus());
        for (int i = 0; i < servers && left > 0; i++) {
            int server = order.applyAsInt(i);
            int taken = Math.min(builder.available(server), left);
            if (taken > 0) {
                builder.take(server, taken);
                left -= taken;
            }
        }
        if (left > 0) {
            builder.begin(demand);
            return null;
        }
        return builder.build();
    }
}
