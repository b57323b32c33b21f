package org.trainyard.env.scheduling.preemption;

import java.util.Arrays;
import org.trainyard.env.simulation.SimView;

/**
 * How many jobs of a server could migrate at most: to each server with enough free GPUs one, but to none that the
 * plan under construction clears or migrates a job to.
 */
final class MigrationTargets {
    private final SimView view;
    private final VictimTimes victims;
    /** By number of GPUs, the servers with at least so many free ones to which the plan lets jobs migrate. */
    private final int[] targets;
    /** By number of GPUs, the jobs that migrate in the best case and have at least so many. */
    private final int[] used;

    /** The places of the jobs that would rather migrate, by what that saves, the most first; and what it saves. */
    private int[] movers = new int[16];

    private double[] saved = new double[16];
    /** By place in the list of a server's jobs, what the job loses for each of its GPUs; infinity when it is no victim. */
    private double[] lossPerGpu = new double[16];

    MigrationTargets(SimView view, VictimTimes victims) {
        this.view = view;
        this.victims = victims;
        targets = new int[view.topology().widestServer() + 1];
        used = new int[targets.length];
    }

    /** Counts the targets that a plan leaves. */
    void count(PreemptionPlan plan) {
        int free = 0;
        for (int gpus = targets.length - 1; gpus > 0; gpus--) {
            free += view.cluster().byFreeGpus().count(gpus);
            targets[gpus] = free;
        }
        for (int i = 0; i < plan.servers(); i++) {
            leaveOut(plan.servers.getInt(i), -1);
        }
        for (int v = 0; v < plan.size(); v++) {
            // A server to which a job migrates may be cleared later, and counts once.
            if (plan.target(v) != SimView.NONE && !plan.servers.contains(plan.target(v))) {
                leaveOut(plan.target(v), -1);
            }
        }
    }

    private void leaveOut(int server, int change) {
        for (int gpus = view.cluster().freeOn(server); gpus > 0; gpus--) {
            targets[gpus] += change;
        }
    }

    /**
     * A cost that draining a server is not below, where every job migrates or is preempted, whichever costs less, as
     * far as there are targets; infinity when a job can do neither. The best choice of jobs that migrate takes them
     * in the order of what that saves. O(jobs on the server squared).
     *
     * @param isTarget whether the plan lets jobs migrate to the server itself, which its own do not
     * @param byShares whether a job costs the part of its GPUs that is on the server
     */
    double drain(int server, double beneficiarySeconds, boolean isTarget, boolean byShares) {
        int jobs = victims.read(server);
        if (jobs > saved.length) {
            saved = new double[2 * jobs];
            movers = new int[2 * jobs];
        }
        if (isTarget) {
            leaveOut(server, -1);
        }
        Arrays.fill(used, 0);
        double cost = 0;
        int count = 0;
        for (int n = 0; n < jobs; n++) {
            double seconds = victims.seconds(server, n);
            double loss = seconds > beneficiarySeconds ? beneficiarySeconds / seconds : Double.POSITIVE_INFINITY;
            double moved = victims.isMovable(server, n) ? victims.restart(server, n) : Double.POSITIVE_INFINITY;
            if (moved < loss) {
                insert(n, loss - moved, count++);
            } else {
                cost += byShares ? loss * share(server, n) : loss;
            }
        }
        cost += ofMovable(server, count, beneficiarySeconds);
        if (isTarget) {
            leaveOut(server, 1);
        }
        return cost;
    }

    /**
     * A cost that victims which free some GPUs of a server are not below, with the last of them counted in part;
     * infinity when there can be none. O(jobs on the server times victims).
     */
    double partly(int server, int missing, double beneficiarySeconds) {
        int jobs = victims.read(server);
        if (jobs > lossPerGpu.length) {
            lossPerGpu = new double[2 * jobs];
        }
        int obtainable = 0;
        for (int n = 0; n < jobs; n++) {
            lossPerGpu[n] = lossPerGpu(server, n, beneficiarySeconds);
            obtainable += lossPerGpu[n] < Double.POSITIVE_INFINITY ? victims.gpus(server, n) : 0;
        }
        if (obtainable < missing) {
            return Double.POSITIVE_INFINITY;
        }
        double cost = 0;
        int left = missing;
        while (left > 0) {
            // The next job by its loss per GPU, of equal ones by its place.
            double lowest = Double.POSITIVE_INFINITY;
            int next = SimView.NONE;
            for (int n = 0; n < jobs; n++) {
                if (lossPerGpu[n] < lowest) {
                    lowest = lossPerGpu[n];
                    next = n;
                }
            }
            cost += lowest * Math.min(left, victims.gpus(server, next));
            left -= victims.gpus(server, next);
            lossPerGpu[next] = Double.POSITIVE_INFINITY;
        }
        return cost;
    }

    private double lossPerGpu(int server, int n, double beneficiarySeconds) {
        return loss(server, n, beneficiarySeconds) / victims.gpus(server, n);
    }

    /** What a job loses at least; infinity when it cannot be a victim. */
    private double loss(int server, int n, double beneficiarySeconds) {
        double seconds = victims.seconds(server, n);
        double loss = seconds > beneficiarySeconds ? beneficiarySeconds / seconds : Double.POSITIVE_INFINITY;
        return victims.isMovable(server, n)
                        && victims.gpus(server, n)
                                <= view.cluster().byFreeGpus().most()
                ? Math.min(loss, victims.restart(server, n))
                : loss;
    }

    private void insert(int n, double saves, int count) {
        int at = count;
        for (; at > 0 && saved[at - 1] < saves; at--) {
            saved[at] = saved[at - 1];
            movers[at] = movers[at - 1];
        }
        saved[at] = saves;
        movers[at] = n;
    }

    /** What the jobs cost that would rather migrate; infinity when not all that have to can. */
    private double ofMovable(int server, int count, double beneficiarySeconds) {
        double sum = 0;
        for (int at = 0; at < count && sum < Double.POSITIVE_INFINITY; at++) {
            if (takeTarget(victims.gpus(server, movers[at]))) {
                sum += victims.restart(server, movers[at]);
            } else if (saved[at] < Double.POSITIVE_INFINITY) {
                sum += beneficiarySeconds / victims.seconds(server, movers[at]);
            } else {
                sum = Double.POSITIVE_INFINITY;
            }
        }
        return sum;
    }

    /** Takes a target for a job of so many GPUs if one is left beside those of the jobs before it. */
    private boolean takeTarget(int gpus) {
        for (int width = gpus; width > 0; width--) {
            if (used[width] == targets[width]) {
                return false;
            }
        }
        for (int width = gpus; width > 0; width--) {
            used[width]++;
        }
        return true;
    }

    private double share(int server, int n) {
        return victims.spans(server, n)
                ? (double) victims.gpus(server, n)
                        / view.placement(view.cluster().jobOn(server, n)).gpuCount()
                : 1;
    }
}
