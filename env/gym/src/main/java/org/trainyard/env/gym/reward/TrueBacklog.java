package org.trainyard.env.gym.reward;

import java.util.Arrays;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Demand;

/**
 * Future cost of the jobs in the system by their true run times: they go in order of the remaining time times the
 * square root of the GPUs, and each ends when it and all before it would on a cluster without fragmentation, slowdowns
 * and jobs to come, at the earliest after its own remaining time.
 *
 * <p>Plays of the same jobs differ in the work that is left, so this is the state's part in the difference of their
 * costs. It reads true run times, which are unknown while scheduling; as in L. Pinto et al.: Asymmetric actor critic
 * for image-based robot learning, RSS 2018, only the comparison of plays in training sees it, no policy does. A job for
 * a part of a GPU counts as one over the jobs of its demand that fit there. O(n log n) for n jobs in the system.
 */
public final class TrueBacklog {
    private final Simulator simulator;
    private final double discountHours;
    /** By job in the system: remaining time in hours. */
    private double[] hours = new double[64];
    /** GPUs. */
    private double[] gpus = new double[64];
    /** The two as a number to sort by. */
    private long[] order = new long[64];

    private int count;

    /**
     * The backlog of a simulator at any moment.
     *
     * @param discountHours simulated hours after which a cost counts 1/e
     */
    public TrueBacklog(Simulator simulator, double discountHours) {
        this.simulator = simulator;
        this.discountHours = discountHours;
    }

    /** The cost from now on, job-hours, discounted. */
    public double jobHours() {
        SimView view = simulator.view();
        count = 0;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            add(view, job);
        }
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            add(view, job);
        }
        Arrays.sort(order, 0, count);
        double work = 0;
        double cost = 0;
        for (int i = 0; i < count; i++) {
            int at = (int) order[i];
            work += hours[at] * gpus[at];
            double end = Math.max(hours[at], work / view.topology().gpus());
            cost += discountHours * -Math.expm1(-end / discountHours);
        }
        return cost;
    }

    private void add(SimView view, int job) {
        if (count == hours.length) {
            hours = Arrays.copyOf(hours, 2 * count);
            gpus = Arrays.copyOf(gpus, 2 * count);
            order = Arrays.copyOf(order, 2 * count);
        }
        Demand demand = view.job(job).demand();
        boolean isPart = demand.gpus() == 1 && demand.gpuMilli() < Demand.WHOLE;
        int sharers = isPart ? Demand.WHOLE / demand.gpuMilli() : 1;
        gpus[count] = (double) demand.gpus() / sharers;
        hours[count] = Math.max(0, simulator.idealSecondsLeft(job)) / 3600;
        // Floats that are not negative are in the order of their bits; of equals the job added first comes first.
        float key = (float) (hours[count] * Math.sqrt(gpus[count]));
        order[count] = ((long) Float.floatToIntBits(key) << Integer.SIZE) | count;
        count++;
    }
}
