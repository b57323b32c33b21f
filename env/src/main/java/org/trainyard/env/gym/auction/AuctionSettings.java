package org.trainyard.env.gym.auction;

import static org.trainyard.env.InvalidFieldException.atLeast;

/**
 * What an auction offers.
 *
 * @param jobs waiting jobs that may bid at once, those of shortest remaining time that can start or make room
 * @param sets sets of servers for which a job may bid, the cheapest by belief
 * @param preemption whether a job may make room by preempting and migrating others
 * @param patience whether a job may take an option to wait for a consolidated place
 */
public record AuctionSettings(int jobs, int sets, boolean preemption, boolean patience) {
    public AuctionSettings {
        atLeast(1, "jobs", jobs);
        atLeast(1, "sets", sets);
    }
}
