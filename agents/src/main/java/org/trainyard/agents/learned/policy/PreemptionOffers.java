package org.trainyard.agents.learned.policy;

/** The preemptions on offer to one agent, planned only when somebody asks. */
interface PreemptionOffers {
    /** A cost that no plan for the job in the slot is below. */
    double leastCost(int slot);

    /** Plans for the job in the slot and writes the columns of the plan into the agent's row; returns whether there is a plan of less cost than the limit. */
    boolean plan(int slot, double limit);
}
