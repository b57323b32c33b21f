package org.trainyard.env.scheduling.preemption;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.topology.Topology;

/** A plan of {@link PreemptionPlanner} or of {@link SharedGpuPreemption}. */
public final class PreemptionPlan implements EvictionPlan {
    private final IntArrayList victims = new IntArrayList();
    private final IntArrayList targets = new IntArrayList();
    /** The servers on which the beneficiary starts. */
    final IntArrayList servers = new IntArrayList();

    double cost;

    PreemptionPlan() {}

    @Override
    public int size() {
        return victims.size();
    }

    @Override
    public int victim(int i) {
        return victims.getInt(i);
    }

    @Override
    public int target(int i) {
        return targets.getInt(i);
    }

    /** See {@link PreemptionPlanner}. */
    @Override
    public double cost() {
        return cost;
    }

    @Override
    public int servers() {
        return servers.size();
    }

    @Override
    public int server(int i) {
        return servers.getInt(i);
    }

    @Override
    public int racks(Topology topology) {
        int racks = 0;
        for (int i = 0; i < servers.size(); i++) {
            int before = 0;
            while (topology.rackOf(server(before)) != topology.rackOf(server(i))) {
                before++;
            }
            racks += before == i ? 1 : 0;
        }
        return racks;
    }

    void setTarget(int i, int server) {
        targets.set(i, server);
    }

    void clear() {
        victims.clear();
        targets.clear();
        servers.clear();
        cost = 0;
    }

    void add(int victim, int target) {
        victims.add(victim);
        targets.add(target);
    }

    void addAll(PreemptionPlan others) {
        victims.addAll(others.victims);
        targets.addAll(others.targets);
    }

    /** A plan that no planner overwrites. */
    public PreemptionPlan copy() {
        PreemptionPlan copy = new PreemptionPlan();
        copy.copy(this);
        return copy;
    }

    /** Takes over everything of another plan. */
    void copy(PreemptionPlan other) {
        clear();
        addAll(other);
        servers.addAll(other.servers);
        cost = other.cost;
    }

    boolean isTarget(int server) {
        return targets.contains(server);
    }

    boolean contains(int job) {
        return victims.contains(job);
    }
}
