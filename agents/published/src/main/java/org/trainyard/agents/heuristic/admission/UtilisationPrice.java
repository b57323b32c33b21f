package org.trainyard.agents.heuristic.admission;

import org.trainyard.env.Invalid;

/**
 * The optimal posted price as a function of the utilisation of a resource that is not returned, for requests that are
 * tiny against its capacity and whose values per unit lie between two known bounds.
 *
 * <p>With {@code phi = highest / lowest}, the price is {@code lowest} until {@code 1 / (1 + ln phi)} of the capacity is
 * sold, and {@code lowest exp((1 + ln phi) y - 1)} from then on; it reaches {@code highest} when everything is sold.
 * Its competitive ratio, {@code 1 + ln phi}, is the least possible (Z. Zhang, Z. Li, C. Wu: Optimal posted prices for
 * online cloud resource allocation, SIGMETRICS 2017).
 *
 * <p>The ratio holds only for capacity that is not returned. Where jobs end and return their GPUs the price is a
 * heuristic.
 *
 * @param lowest least value of a unit, above zero
 * @param highest greatest value of a unit
 */
public record UtilisationPrice(double lowest, double highest) {
    public UtilisationPrice {
        PriceThresholds.requireBounds(lowest, highest);
    }

    /** The greatest ratio of the optimal welfare to the welfare at this price. */
    public double competitiveRatio() {
        return 1 + Math.log(highest / lowest);
    }

    /**
     * The price of a unit.
     *
     * @param sold part of the capacity that is sold, 0..1
     */
    public double at(double sold) {
        Invalid.when(!(sold >= 0 && sold <= 1), "part sold (%s) must be 0 to 1", sold);
        return lowest * Math.exp(Math.max(0, competitiveRatio() * sold - 1));
    }
}
