package org.trainyard.env.gym.auction;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.scheduling.gang.GangCandidates;
import org.trainyard.env.scheduling.interruption.EvictionPlanning;
import org.trainyard.env.scheduling.interruption.MigrationSearch;

/**
 * The searches for what a job can bid for.
 *
 * @param sets of free servers
 * @param evictions that make room; null without preemption
 * @param moves of running jobs to faster sets; null without preemption
 */
record BidSearches(
        GangCandidates sets,
        @Nullable EvictionPlanning evictions,
        @Nullable MigrationSearch moves) {}
