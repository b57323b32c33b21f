package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;

/** The jobs to preempt and to migrate so that one job can start. It holds until the next event, or until time passes. */
public final class PreemptionPlan {
    final PreemptionSet victims = new PreemptionSet();
    /** The servers on which the job starts. */
    final IntArrayList servers = new IntArrayList();

    double cost;
    int job;

    PreemptionPlan() {}

    void begin(int newcomer) {
        job = newcomer;
        victims.clear();
        servers.clear();
        cost = 0;
    }

    /** The running jobs that give up their GPUs. */
    public PreemptionSet victims() {
        return victims;
    }

    /** The sum of the victims' costs, see {@link PreemptionPlanner}. */
    public double cost() {
        return cost;
    }
}
