package org.trainyard.env.scheduling.placement;

import java.util.function.BooleanSupplier;
import org.trainyard.env.topology.Topology;

/** The parts of a data centre that a job may be consolidated in, as ranges of racks: single racks, pods, all racks. */
public final class RackRanges {
    /** Receives racks from {@code first} to {@code last}, whose servers are {@code from} to below {@code to}. */
    @FunctionalInterface
    public interface Visitor {
        void visit(int first, int last, int from, int to);
    }

    private RackRanges() {}

    /**
     * Visits every rack; unless something is found then, every pod; unless something is found then, all racks together.
     */
    public static void narrowestFirst(Topology topology, Visitor visitor, BooleanSupplier isFound) {
        for (int rack = 0; rack < topology.racks(); rack++) {
            visit(topology, visitor, rack, rack);
        }
        int first = 0;
        boolean isInPods = !isFound.getAsBoolean();
        for (int rack = 1; isInPods && rack <= topology.racks(); rack++) {
            if (rack == topology.racks() || topology.podOf(rack) != topology.podOf(first)) {
                visit(topology, visitor, first, rack - 1);
                first = rack;
            }
        }
        if (!isFound.getAsBoolean()) {
            visit(topology, visitor, 0, topology.racks() - 1);
        }
    }

    private static void visit(Topology topology, Visitor visitor, int first, int last) {
        visitor.visit(first, last, topology.firstServer(first), topology.firstServer(last) + topology.serversIn(last));
    }
}
