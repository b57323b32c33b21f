package org.trainyard.env.gym.auction;

import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.SimView;

/**
 * The jobs of a run for which agents bid.
 *
 * @param order in which waiting jobs bid
 * @param remaining estimated remaining time of a job, seconds
 * @param options the times for which some accept a consolidated place alone
 */
record BiddingJobs(SimView view, Rank order, Rank remaining, WaitingJobs waiting, DelaySchedulingOptions options) {
    double remainingSeconds(int job) {
        return remaining.of(view, job);
    }
}
