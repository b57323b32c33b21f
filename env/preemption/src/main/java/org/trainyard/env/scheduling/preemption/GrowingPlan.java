package org.trainyard.env.scheduling.preemption;

import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;

/**
 * The plan under construction of an {@link EvictionSearch}, and the GPUs that are free on each server of the range when
 * it has been carried out so far.
 */
final class GrowingPlan {
    private final SimView view;
    private final int from;
    private final int to;
    private final PreemptionPlan plan = new PreemptionPlan();
    /** By server of the range, whether the plan clears it. */
    private final boolean[] isCleared;
    /** GPUs that the plan frees there, less those that it takes. */
    private final int[] freed;
    /** By server of the cluster, whether the plan clears it or migrates a job to it. */
    private final boolean[] isTaken;

    private long version = 1;
    /** By number of GPUs, the servers with at least so many free ones that the plan leaves. */
    private final int[] targets;
    /** The plan for which they were counted. */
    private long countedIn;

    private final int[] targetsFrom;

    GrowingPlan(SimView view, int from, int to) {
        this.view = view;
        this.from = from;
        this.to = to;
        isCleared = new boolean[to - from];
        freed = new int[to - from];
        isTaken = new boolean[view.topology().servers()];
        targets = new int[view.topology().widestServer() + 1];
        targetsFrom = new int[targets.length];
    }

    /** The plan so far. */
    PreemptionPlan plan() {
        return plan;
    }

    /** Makes the plan one that is known, or an empty one. */
    void resume(PreemptionPlan known) {
        version++;
        for (int i = 0; i < plan.servers(); i++) {
            isCleared[plan.server(i) - from] = false;
            isTaken[plan.server(i)] = false;
        }
        countVictims(0, -1);
        plan.clear();
        for (int i = 0; i < known.servers(); i++) {
            clear(known.server(i));
        }
        plan.addAll(known);
        countVictims(0, 1);
        plan.cost = known.cost;
    }

    /** Adds a server that is cleared, its victims and their cost. */
    void add(int server, PreemptionPlan victims, double cost) {
        int first = plan.size();
        version++;
        clear(server);
        plan.addAll(victims);
        countVictims(first, 1);
        plan.cost += cost;
    }

    private void clear(int server) {
        plan.servers.add(server);
        isCleared[server - from] = true;
        isTaken[server] = true;
    }

    /**
     * Counts what victims from one on free, and what they take where they migrate; with the sign -1 takes that back.
     */
    private void countVictims(int first, int sign) {
        for (int v = first; v < plan.size(); v++) {
            Placement placement = view.placement(plan.victim(v));
            for (int i = 0; i < placement.serverCount(); i++) {
                count(placement.server(i), sign * placement.gpusOn(i));
            }
            int target = plan.target(v);
            if (target != SimView.NONE) {
                isTaken[target] = sign > 0;
                count(target, -sign * view.job(plan.victim(v)).gpus());
            }
        }
    }

    private void count(int server, int gpus) {
        if (server >= from && server < to) {
            freed[server - from] += gpus;
        }
    }

    /** Changes with the plan. */
    long version() {
        return version;
    }

    /** The place of a server in the range. */
    int place(int server) {
        return server - from;
    }

    /** Whether the plan frees or takes GPUs of a server. */
    boolean changes(int server) {
        return freed[server - from] != 0;
    }

    /** Whether the plan clears a server. */
    boolean isCleared(int server) {
        return isCleared[server - from];
    }

    /** Whether the plan clears a server or migrates a job to it, so that no other job may migrate there. */
    boolean isTaken(int server) {
        return isTaken[server];
    }

    /**
     * By number of GPUs, the servers with at least so many free ones to which jobs of a server may migrate. The next
     * call overwrites it.
     */
    int[] targetsFrom(int server) {
        if (countedIn != version) {
            countedIn = version;
            countTargets();
        }
        System.arraycopy(targets, 0, targetsFrom, 0, targets.length);
        if (!isTaken[server]) {
            leaveOut(server, targetsFrom);
        }
        return targetsFrom;
    }

    private void countTargets() {
        int servers = 0;
        for (int gpus = targets.length - 1; gpus > 0; gpus--) {
            servers += view.cluster().byFreeGpus().count(gpus);
            targets[gpus] = servers;
        }
        for (int i = 0; i < plan.servers(); i++) {
            leaveOut(plan.server(i), targets);
        }
        for (int v = 0; v < plan.size(); v++) {
            // A server to which a job migrates may be cleared later, and counts once.
            if (plan.target(v) != SimView.NONE && !plan.servers.contains(plan.target(v))) {
                leaveOut(plan.target(v), targets);
            }
        }
    }

    private void leaveOut(int server, int[] from) {
        for (int gpus = view.cluster().freeOn(server); gpus > 0; gpus--) {
            from[gpus]--;
        }
    }

    /** GPUs that have to be freed on the server for so many workers, or as many as it has GPUs. */
    int missingOn(int server, int workers) {
        return Math.min(workers, view.topology().gpusOn(server))
                - view.cluster().freeOn(server)
                - freed[server - from];
    }
}
