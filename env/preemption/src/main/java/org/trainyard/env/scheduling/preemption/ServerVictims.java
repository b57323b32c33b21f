package org.trainyard.env.scheduling.preemption;

/** The choice of victims on one server, and lower bounds on their cost, for an {@link EvictionSearch}. */
interface ServerVictims {
    /**
     * Finds lower bounds on the cost of clearing each server of a range for so many workers, or for as many as it has
     * GPUs; infinity for a server that cannot be cleared.
     *
     * @param bounds by server, counted from the first server of the search
     */
    void bound(int workers, int first, int end, double[] bounds);

    /** Bounds those servers of a range anew that the plan changes. */
    void boundChanged(int workers, int first, int end, double[] bounds);

    /**
     * A lower bound on the cost of clearing a server that is closer and takes longer; infinity when it cannot be
     * cleared.
     */
    double closeBound(int server, int workers);

    /**
     * Chooses victims on a server, none where the plan has cleared enough; returns their cost, infinity when it cannot
     * be cleared.
     */
    double choose(int server, int workers);

    /** Adds the victims that were chosen last to a plan. */
    void addTo(PreemptionPlan plan);

    /** Whether so many GPUs count as cleared where they are free without victims. */
    boolean mayNeedNone(int gpus);
}
