package org.trainyard.experiments.papers.fgd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.TraceJob;

/** The demands that occur among pods, and their shares in the pods whose demands are known. */
final class PodKinds {
    private final List<Demand> demands = new ArrayList<>();
    private final Map<Demand, Integer> kinds = new HashMap<>();
    private final double[] shares;

    /**
     * Demands.
     *
     * @param known pods by which shares are counted
     * @param arriving pods that a policy has to place
     */
    PodKinds(List<TraceJob> known, List<TraceJob> arriving) {
        Stream.of(known, arriving)
                .flatMap(List::stream)
                .forEach(pod -> kinds.computeIfAbsent(pod.demand(), this::added));
        shares = new double[demands.size()];
        known.forEach(pod -> shares[of(pod.demand())] += 1.0 / known.size());
    }

    private int added(Demand demand) {
        demands.add(demand);
        return demands.size() - 1;
    }

    int count() {
        return shares.length;
    }

    Demand demand(int kind) {
        return demands.get(kind);
    }

    double share(int kind) {
        return shares[kind];
    }

    /** The kind of a pod that is among them, or whose copy is. */
    int of(Demand demand) {
        Integer kind = kinds.get(demand);
        if (kind == null) {
            throw new IllegalArgumentException("demand (%s) is of no pod of the list".formatted(demand));
        }
        return kind;
    }
}
