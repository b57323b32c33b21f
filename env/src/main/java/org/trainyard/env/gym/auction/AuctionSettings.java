package org.trainyard.env.gym.auction;

import static org.trainyard.env.InvalidFieldException.atLeast;

/**
 * What an auction offers.
 *
 * @param order estimate of remaining times by which jobs bid and are preempted
 * @param jobs waiting jobs that may bid at once, those of shortest remaining time that can start or make room
 * @param sets sets of servers for which a job may bid, the cheapest by belief
 * @param moves running jobs that may bid at once to restart where they run faster, those that lose most time; none without preemption
 * @param preemption whether running jobs may be preempted or migrated, to make room or to move
 * @param patience whether a job may take an option to wait for a consolidated place
 */
public record AuctionSettings(
        RemainingTime order, int jobs, int sets, int moves, boolean preemption, boolean patience) {
    public AuctionSettings {
        atLeast(1, "jobs", jobs);
        atLeast(1, "sets", sets);
        atLeast(0, "moves", moves);
    }
}
