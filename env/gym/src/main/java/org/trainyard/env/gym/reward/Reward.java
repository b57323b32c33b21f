package org.trainyard.env.gym.reward;

import org.trainyard.env.simulation.SimView;

/**
 * The reward of the agents as a rate over simulated time, which the environment adds up over the jobs in the system and
 * integrates exactly: between two events nothing but time changes.
 */
@FunctionalInterface
public interface Reward {
    /** The reward of a waiting or running job per simulated hour in the present state; a function of that state. */
    double perHour(SimView view, int job);

    /**
     * The reward of preempting a running job now, beside what follows from the states after it; 0 for a reward that
     * counts nothing but those.
     */
    default double ofPreemption(SimView view, int job) {
        return 0;
    }

    /** The reward of all jobs together per simulated hour in the present state. O(jobs in the system). */
    default double perHour(SimView view) {
        double sum = 0;
        for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
            sum += perHour(view, job);
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            sum += perHour(view, job);
        }
        return sum;
    }
}
