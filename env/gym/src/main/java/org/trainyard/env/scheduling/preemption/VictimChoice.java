package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import org.trainyard.env.simulation.FreeGpuIndex;
import org.trainyard.env.simulation.SimView;

/**
 * The greedy choice of the victims of a {@link PreemptionPlanner} on one server: the cheapest first, and those not
 * needed are spared. O(jobs on the server squared).
 */
final class VictimChoice {
    private final SimView view;
    private final LeastLoss leastLoss;
    private final VictimTimes victims;
    private final PreemptionPlan plan;
    private final PlannedGpus planned;
    private double beneficiarySeconds;
    private int server;
    /** The victims so far, by their places in the list of the server's jobs: job, target and loss. */
    private int count;

    private int[] places = new int[16];
    private int[] targets = new int[16];
    private double[] losses = new double[16];
    private boolean[] isChosen = new boolean[16];
    /** By number of GPUs, a target before which the plan leaves none; and for which plan that was found first. */
    private final int[] firstTarget;

    private final long[] foundIn;
    private long plans;

    /**
     * @param plan under construction
     * @param planned the same plan
     */
    VictimChoice(SimView view, LeastLoss leastLoss, PreemptionPlan plan, PlannedGpus planned) {
        this.view = view;
        this.leastLoss = leastLoss;
        this.plan = plan;
        this.planned = planned;
        victims = leastLoss.victims();
        firstTarget = new int[view.topology().widestServer() + 1];
        foundIn = new long[firstTarget.length];
    }

    /** Begins the choice for another pending job, or another plan than one that has grown. */
    void begin(double newBeneficiarySeconds) {
        beneficiarySeconds = newBeneficiarySeconds;
        plans++;
    }

    /** Chooses victims until so many GPUs more are free; returns their cost, infinity when that is impossible. */
    double clear(int newServer, int newMissing) {
        server = newServer;
        count = 0;
        int jobs = victims.read(server);
        if (jobs > isChosen.length) {
            places = new int[2 * jobs];
            targets = new int[2 * jobs];
            losses = new double[2 * jobs];
            isChosen = new boolean[2 * jobs];
        }
        Arrays.fill(isChosen, 0, jobs, false);
        int missing = newMissing;
        while (missing > 0) {
            if (!addCheapest(jobs)) {
                return Double.POSITIVE_INFINITY;
            }
            missing -= victims.gpus(server, places[count - 1]);
        }
        double cost = 0;
        for (int v = count - 1; v >= 0; v--) {
            int gpus = victims.gpus(server, places[v]);
            if (missing + gpus <= 0) {
                missing += gpus;
                places[v] = SimView.NONE;
            } else {
                cost += losses[v];
            }
        }
        return cost;
    }

    /** Adds the victims that were chosen last to a plan. */
    void addTo(PreemptionPlan part) {
        for (int v = 0; v < count; v++) {
            if (places[v] != SimView.NONE) {
                part.add(view.cluster().jobOn(server, places[v]), targets[v]);
            }
        }
    }

    private boolean addCheapest(int jobs) {
        int cheapest = SimView.NONE;
        int where = SimView.NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int n = 0; n < jobs; n++) {
            if (isChosen[n]) {
                continue;
            }
            double seconds = victims.seconds(server, n);
            double moved = victims.restart(server, n);
            double preempted = seconds > beneficiarySeconds
                    ? beneficiarySeconds / seconds + victims.charged(server, n)
                    : Double.POSITIVE_INFINITY;
            // A job on this server alone is not in the plan, which does not clear this server.
            if (Math.min(moved, preempted) >= least
                    || (victims.spans(server, n) && plan.contains(view.cluster().jobOn(server, n)))) {
                continue;
            }
            int target = victims.isMovable(server, n) ? tightestTarget(victims.gpus(server, n)) : SimView.NONE;
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
        isChosen[cheapest] = true;
        places[count] = cheapest;
        targets[count] = where;
        losses[count++] = least;
        return true;
    }

    /** The migration target with the fewest free GPUs for a job of so many GPUs, or {@link SimView#NONE}. */
    private int tightestTarget(int gpus) {
        if (!leastLoss.hasRoom(gpus)) {
            return SimView.NONE;
        }
        FreeGpuIndex free = view.cluster().byFreeGpus();
        int target = foundIn[gpus] == plans ? firstTarget[gpus] : free.tightest(gpus);
        while (target != SimView.NONE && planned.isTaken(target)) {
            target = free.after(target);
        }
        foundIn[gpus] = plans;
        firstTarget[gpus] = target;
        while (target != SimView.NONE && (target == server || isTargetHere(target) || planned.isTaken(target))) {
            target = free.after(target);
        }
        return target;
    }

    private boolean isTargetHere(int target) {
        for (int v = 0; v < count; v++) {
            if (targets[v] == target) {
                return true;
            }
        }
        return false;
    }
}
