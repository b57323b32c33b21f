package org.trainyard.env.scheduling.preemption;

import java.util.function.IntConsumer;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * The servers of a range that a {@link PreemptionPlan} under construction clears, and the GPUs that are free on
 * each when it has been carried out so far.
 */
final class PlannedGpus {
    private final SimView view;
    private final int from;
    private final int to;
    /**
     * By server of the range, whether the plan clears it, and the GPUs that the plan frees there, less those that
     * it takes.
     */
    private final boolean[] isCleared;

    private final int[] freed;
    /** By server of the cluster, whether the plan clears it or migrates a job to it. */
    private final boolean[] isTaken;

    PlannedGpus(SimView view, int from, int to) {
        this.view = view;
        this.from = from;
        this.to = to;
        isCleared = new boolean[to - from];
        freed = new int[to - from];
        isTaken = new boolean[view.topology().servers()];
    }

    /** Counts a whole plan; with the sign -1 takes that back. */
    void count(PreemptionPlan plan, int sign) {
        for (int i = 0; i < plan.servers(); i++) {
            isCleared[plan.servers.getInt(i) - from] = sign > 0;
            isTaken[plan.servers.getInt(i)] = sign > 0;
        }
        for (int v = 0; v < plan.size(); v++) {
            countFreed(plan.victim(v), plan.target(v), sign);
        }
    }

    /**
     * Counts a server that is cleared, and those of its victims, which are from one on in the plan; calls for each
     * server of the range where that changes something.
     */
    void add(PreemptionPlan plan, int server, int firstVictim, IntConsumer changed) {
        isCleared[server - from] = true;
        isTaken[server] = true;
        changed.accept(server);
        for (int v = firstVictim; v < plan.size(); v++) {
            countFreed(plan.victim(v), plan.target(v), 1);
        }
        for (int v = firstVictim; v < plan.size(); v++) {
            Placement placement = view.placement(plan.victim(v));
            for (int i = 0; i < placement.serverCount(); i++) {
                if (isInRange(placement.server(i))) {
                    changed.accept(placement.server(i));
                }
            }
            if (isInRange(plan.target(v))) {
                changed.accept(plan.target(v));
            }
        }
    }

    /** Whether the plan clears a server. */
    boolean isCleared(int server) {
        return isCleared[server - from];
    }

    /** Whether the plan clears a server or migrates a job to it, so that no other job may migrate there. */
    boolean isTaken(int server) {
        return isTaken[server];
    }

    /** GPUs that have to be freed on the server for so many workers, or as many as it has GPUs. */
    int missingOn(int server, int workers) {
        return Math.min(workers, view.topology().gpusOn(server))
                - view.cluster().freeOn(server)
                - freed[server - from];
    }

    /**
     * Counts what a victim of the plan frees in the range, and what it takes where it is migrated; with the sign -1
     * takes that back.
     */
    private void countFreed(int victim, int target, int sign) {
        Placement placement = view.placement(victim);
        for (int i = 0; i < placement.serverCount(); i++) {
            if (isInRange(placement.server(i))) {
                freed[placement.server(i) - from] += sign * placement.gpusOn(i);
            }
        }
        if (target != SimView.NONE) {
            isTaken[target] = sign > 0;
        }
        if (isInRange(target)) {
            freed[target - from] -= sign * view.job(victim).gpus();
        }
    }

    private boolean isInRange(int server) {
        return server >= from && server < to;
    }
}
