package org.trainyard.agents.heuristic.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The greatest welfare that units which are not returned can have when all requests are known in advance. */
public final class OfflineOptimum {
    /**
     * A request.
     *
     * @param units demanded, all or none
     * @param unitValue value of each of them
     */
    public record Request(int units, double unitValue) {
        public Request {
            if (units < 1 || !(unitValue >= 0)) {
                throw new IllegalArgumentException("request of %d units of value %s".formatted(units, unitValue));
            }
        }
    }

    private OfflineOptimum() {}

    /**
     * When requests may get a part of their demand: the sum of the most valuable units. An upper bound on
     * {@link #integral}.
     */
    public static double fractional(List<Request> requests, int capacity) {
        List<Request> sorted = new ArrayList<>(requests);
        sorted.sort(Comparator.comparingDouble(Request::unitValue).reversed());
        int left = capacity;
        double welfare = 0;
        for (Request request : sorted) {
            int units = Math.min(left, request.units);
            welfare += units * request.unitValue;
            left -= units;
        }
        return welfare;
    }

    /** When a request gets all its units or none: a knapsack, in O(requests x capacity). */
    public static double integral(List<Request> requests, int capacity) {
        double[] best = new double[capacity + 1];
        for (Request request : requests) {
            for (int room = capacity; room >= request.units; room--) {
                best[room] = Math.max(best[room], best[room - request.units] + request.units * request.unitValue);
            }
        }
        return best[capacity];
    }
}
