package org.trainyard.agents.heuristic.admission;

import java.util.List;
import org.trainyard.env.Invalid;

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
            Invalid.when(units < 1 || !(unitValue >= 0), "request of %d units of value %s", units, unitValue);
        }
    }

    private OfflineOptimum() {}

    /**
     * By the number of units that there are, from none to all: a knapsack, in O(requests x units). A request gets all
     * its units or none.
     */
    public static double[] byUnits(List<Request> requests, int units) {
        double[] best = new double[units + 1];
        for (Request request : requests) {
            for (int room = units; room >= request.units; room--) {
                best[room] = Math.max(best[room], best[room - request.units] + request.units * request.unitValue);
            }
        }
        return best;
    }
}
