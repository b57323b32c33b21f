package org.trainyard.agents.heuristic.composed;

import org.trainyard.env.simulation.SimView;

/**
 * Holds the GPUs of long jobs below a share of the cluster; waived while no long job runs, so that none waits for ever.
 */
final class LongJobs {
    private final double share;
    private final double seconds;
    /** GPUs of running long jobs, none when not counted yet. */
    private int gpus = SimView.NONE;

    LongJobs(ComposedSettings settings) {
        share = settings.value(Knob.SHARE);
        seconds = settings.value(Knob.LONG) * 3600;
    }

    /** Makes the next question count anew; to be called before each decision. */
    void forget() {
        gpus = SimView.NONE;
    }

    /** Whether the waiting job is long, and running long jobs leave it too little of their share. */
    boolean exceedsShare(SimView view, int job) {
        if (!isLong(view, job)) {
            return false;
        }
        if (gpus == SimView.NONE) {
            gpus = 0;
            for (int other = view.firstRunning(); other != SimView.NONE; other = view.nextRunning(other)) {
                gpus += isLong(view, other) ? view.placement(other).gpuCount() : 0;
            }
        }
        return gpus > 0 && gpus + view.job(job).gpus() > share * view.topology().gpus();
    }

    private boolean isLong(SimView view, int job) {
        return share < 1 && view.predictedSeconds(job) > seconds;
    }
}
