package org.trainyard.agents.learned.ppo;

import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.SimView;

/**
 * A few numbers about the state of a cluster: jobs waiting and running, GPUs waiting, GPU-hours of work waiting and
 * running, free GPUs.
 */
public final class ClusterFigures {
    /** Number of features. */
    public static final int COUNT = 6;

    private ClusterFigures() {}

    /** Whether the feature of this number is work, in GPU-hours. */
    public static boolean isWork(int figure) {
        return figure == 3 || figure == 4;
    }

    /** Writes the features of a state; O(jobs in the system). */
    public static void write(SimView view, double[] figures, int at) {
        double gpusWaiting = 0;
        double workWaiting = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            int gpus = view.job(job).gpus();
            gpusWaiting += gpus;
            workWaiting += gpus * ResidualTimeFloor.seconds(view, job) / 3600;
        }
        double workRunning = 0;
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            workRunning += view.job(job).gpus() * ResidualTimeFloor.seconds(view, job) / 3600;
        }
        figures[at] = view.waitingCount();
        figures[at + 1] = view.runningCount();
        figures[at + 2] = gpusWaiting;
        figures[at + 3] = workWaiting;
        figures[at + 4] = workRunning;
        figures[at + 5] = view.cluster().free();
    }
}
