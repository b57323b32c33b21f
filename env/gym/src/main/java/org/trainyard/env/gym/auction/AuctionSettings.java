package org.trainyard.env.gym.auction;

import static org.trainyard.env.InvalidFieldException.atLeast;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.interruption.Interruptions;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Settings of an auction: which bids it offers.
 *
 * @param order estimate of remaining times, by which jobs bid and are preempted
 * @param jobs waiting jobs that may bid at once, the first by that order that can start or make room
 * @param sets sets of servers for which a job may bid, the cheapest by belief
 * @param moves running jobs that may bid at once to restart where they run faster, those that lose most time; none
 *     without preemption
 * @param preemption whether running jobs may be preempted or migrated, to make room or to move
 * @param patience whether a job may take an option to wait for a consolidated place
 * @param told rules of preemption in the bids of agents that preempt no job, in place of those of the run, which do not
 *     concern them; null for those of the run
 */
public record AuctionSettings(
        RemainingTime order,
        int jobs,
        int sets,
        int moves,
        boolean preemption,
        boolean patience,
        @Nullable PreemptionRules told) {
    /** The most jobs of an auction that look for a preemption plan. */
    static final int PLANNED_JOBS = 4;

    public AuctionSettings {
        atLeast(1, "jobs", jobs);
        atLeast(1, "sets", sets);
        atLeast(0, "moves", moves);
    }

    /** Settings whose bids have the preemption rules of the run. */
    public AuctionSettings(RemainingTime order, int jobs, int sets, int moves, boolean preemption, boolean patience) {
        this(order, jobs, sets, moves, preemption, patience, null);
    }

    /** Returns these settings where running jobs may be preempted or not. */
    public AuctionSettings with(boolean mayPreempt) {
        return new AuctionSettings(order, jobs, sets, moves, mayPreempt, patience, told);
    }

    /** Returns these settings with preemption rules in the bids of agents that preempt no job. */
    public AuctionSettings told(@Nullable PreemptionRules rules) {
        return new AuctionSettings(order, jobs, sets, moves, preemption, patience, rules);
    }

    /** The rules of preemption that bids show. */
    PreemptionRules rules(SimView view) {
        return told == null || preemption ? view.preemptionRules() : told;
    }

    /** A number of bids that no auction on this cluster exceeds. */
    public int mostBids(Topology topology) {
        int byJob = sets + (patience ? DelaySchedulingOptions.LENGTHS.length : 0);
        int toMakeRoom = preemption
                ? Math.min(PLANNED_JOBS, jobs) * Interruptions.installed().planners(topology)
                : 0;
        return 1 + jobs * byJob + toMakeRoom + (preemption ? moves : 0);
    }
}
