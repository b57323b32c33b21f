package org.trainyard.env.scheduling.preemption;

import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.SimView;

/**
 * The greedy choice of the victims of a {@link PreemptionPlanner} on one server, where jobs hold whole GPUs: the
 * cheapest first, and those not needed are spared. O(jobs on the server squared).
 */
final class WholeGpuVictims implements ServerVictims {
    private final SimView view;
    private final VictimRemainingTimes times;
    private final EvictionCostBound bound;
    private final GrowingPlan plan;
    private double beneficiarySeconds;
    private int server;
    /** The victims so far. */
    private int count;
    /** Places of the victims in the list of the server's jobs, none when spared. */
    private int[] places = new int[16];

    private int[] targets = new int[16];
    private double[] losses = new double[16];
    /** By number of GPUs, a target before which the plan leaves none. */
    private final int[] firstTarget;
    /** The plan for which it was found. */
    private final long[] foundIn;

    WholeGpuVictims(SimView view, VictimRemainingTimes times, EvictionCostBound bound, GrowingPlan plan) {
        this.view = view;
        this.times = times;
        this.bound = bound;
        this.plan = plan;
        firstTarget = new int[view.topology().widestServer() + 1];
        foundIn = new long[firstTarget.length];
    }

    /** Begins the search for a pending job. */
    void begin(double newBeneficiarySeconds) {
        beneficiarySeconds = newBeneficiarySeconds;
    }

    @Override
    public void bound(int workers, int first, int end, double[] bounds) {
        bound.find(workers, beneficiarySeconds, first, end, bounds);
        boundChanged(workers, first, end, bounds);
    }

    @Override
    public void boundChanged(int workers, int first, int end, double[] bounds) {
        for (int there = first; there < end && plan.plan().servers() > 0; there++) {
            if (plan.isCleared(there)) {
                bounds[plan.place(there)] = Double.POSITIVE_INFINITY;
            } else if (plan.changes(there)) {
                bounds[plan.place(there)] = bound.of(there, plan.missingOn(there, workers), beneficiarySeconds);
            }
        }
    }

    @Override
    public double closeBound(int there, int workers) {
        return bound.now(there, plan.missingOn(there, workers), beneficiarySeconds, plan);
    }

    @Override
    public double choose(int newServer, int workers) {
        server = newServer;
        count = 0;
        int missing = plan.missingOn(server, workers);
        if (missing <= 0) {
            return 0;
        }
        ServerJobs jobs = times.on(server);
        if (jobs.count > places.length) {
            places = new int[2 * jobs.count];
            targets = new int[2 * jobs.count];
            losses = new double[2 * jobs.count];
        }
        while (missing > 0) {
            if (!addCheapest(jobs)) {
                return Double.POSITIVE_INFINITY;
            }
            missing -= jobs.gpus[places[count - 1]];
        }
        double cost = 0;
        for (int v = count - 1; v >= 0; v--) {
            int gpus = jobs.gpus[places[v]];
            if (missing + gpus <= 0) {
                missing += gpus;
                places[v] = SimView.NONE;
            } else {
                cost += losses[v];
            }
        }
        return cost;
    }

    @Override
    public void addTo(PreemptionPlan part) {
        for (int v = 0; v < count; v++) {
            if (places[v] != SimView.NONE) {
                part.add(view.cluster().jobOn(server, places[v]), targets[v]);
            }
        }
    }

    @Override
    public boolean mayNeedNone(int gpus) {
        return true;
    }

    private boolean addCheapest(ServerJobs jobs) {
        int cheapest = SimView.NONE;
        int where = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int n = 0; n < jobs.count; n++) {
            double moved = jobs.restart[n];
            double preempted = jobs.preemptionLoss(n, beneficiarySeconds);
            // A job on this server alone is not in the plan, which does not clear this server.
            if (Math.min(moved, preempted) >= least
                    || contains(places, n)
                    || (jobs.spans(n) && plan.plan().contains(view.cluster().jobOn(server, n)))) {
                continue;
            }
            int target = moved < Double.POSITIVE_INFINITY ? tightestTarget(jobs.gpus[n]) : SimView.NONE;
            double loss = target != SimView.NONE ? moved : preempted;
            if (loss < least) {
                least = loss;
                cheapest = n;
                where = target;
            }
        }
        if (cheapest == SimView.NONE) {
            return false;
        }
        places[count] = cheapest;
        targets[count] = where;
        losses[count++] = least;
        return true;
    }

    /** The migration target with the fewest free GPUs for a job of so many GPUs, or {@link SimView#NONE}. */
    private int tightestTarget(int gpus) {
        FreeGpuIndex free = view.cluster().byFreeGpus();
        int target = foundIn[gpus] == plan.version() ? firstTarget[gpus] : free.tightest(gpus);
        while (target != SimView.NONE && plan.isTaken(target)) {
            target = free.after(target);
        }
        foundIn[gpus] = plan.version();
        firstTarget[gpus] = target;
        while (target != SimView.NONE && (target == server || plan.isTaken(target) || contains(targets, target))) {
            target = free.after(target);
        }
        return target;
    }

    /** Whether a number is among those of the victims so far. */
    private boolean contains(int[] ofVictims, int number) {
        for (int v = 0; v < count; v++) {
            if (ofVictims[v] == number) {
                return true;
            }
        }
        return false;
    }
}
