package org.trainyard.agents.heuristic.pdors;

/** The price of a unit of a resource by how much of it is used. */
@FunctionalInterface
interface ResourcePrice {
    /** Everything is free. */
    ResourcePrice NONE = (used, capacity) -> 0;

    /** The price with so much used. */
    double at(double used, double capacity);
}
