package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.trainyard.env.simulation.SimView;

/** Running jobs that give up their GPUs for another job: each is preempted, or migrated to another server. */
public final class PreemptionSet {
    private final IntArrayList jobs = new IntArrayList();
    private final IntArrayList targets = new IntArrayList();
    private final DoubleArrayList losses = new DoubleArrayList();

    public int size() {
        return jobs.size();
    }

    public int job(int i) {
        return jobs.getInt(i);
    }

    /** The server to which the i-th job is migrated, or {@link SimView#NONE} for a preempted job. */
    public int target(int i) {
        return targets.getInt(i);
    }

    /** The cost of preempting or migrating the i-th job, see {@link PreemptionPlanner}. */
    double loss(int i) {
        return losses.getDouble(i);
    }

    void setTarget(int i, int server) {
        targets.set(i, server);
    }

    void clear() {
        jobs.clear();
        targets.clear();
        losses.clear();
    }

    void add(int job, int target, double loss) {
        jobs.add(job);
        targets.add(target);
        losses.add(loss);
    }

    void addAll(PreemptionSet others) {
        jobs.addAll(others.jobs);
        targets.addAll(others.targets);
        losses.addAll(others.losses);
    }

    void remove(int i) {
        jobs.removeInt(i);
        targets.removeInt(i);
        losses.removeDouble(i);
    }

    boolean isTarget(int server) {
        return targets.contains(server);
    }

    boolean contains(int job) {
        return jobs.contains(job);
    }
}
