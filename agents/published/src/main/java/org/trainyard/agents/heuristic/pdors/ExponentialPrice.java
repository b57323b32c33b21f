package org.trainyard.agents.heuristic.pdors;

/**
 * The exponential price of a unit of a resource by how much of it is used: {@code least (most / least)^(used /
 * capacity)}.
 *
 * <p>Source: OASiS (INFOCOM 2018) and PD-ORS (2108.02917).
 *
 * @param least price of an unused resource, above zero
 * @param most price of a resource that is used up
 */
record ExponentialPrice(double least, double most) implements ResourcePrice {
    ExponentialPrice {
        if (!(least > 0) || !(most >= least) || Double.isInfinite(most)) {
            throw new IllegalArgumentException(
                    "prices (%s to %s) must be above zero, finite, the least first".formatted(least, most));
        }
    }

    /** Infinite for a resource of which there is none. */
    @Override
    public double at(double used, double capacity) {
        return capacity > 0 ? least * Math.pow(most / least, used / capacity) : Double.POSITIVE_INFINITY;
    }
}
