package org.trainyard.env.gym.decentralised;

import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;

/**
 * Settings of agents that decide apart: their information, and their ownership of jobs.
 *
 * @param minutesOld age of an agent's summaries of other domains, simulated minutes
 * @param ownJobs whether a job belongs to the agent that received it, which alone bids for it; otherwise all agents bid
 *     for all jobs
 * @param arrival which agent receives a job
 * @param hops how often a job may be forwarded, at most two; 0 where jobs are not owned
 * @param silent when agents answer nothing
 */
public record DecentralisedSettings(
        double minutesOld, boolean ownJobs, Arrival arrival, int hops, List<Silence> silent) {
    /** The most forwards of a job. */
    public static final int MOST_HOPS = 2;

    public DecentralisedSettings {
        within(0, 100_000, "minutesOld", minutesOld);
        atLeast(0, "hops", hops);
        within(0, MOST_HOPS, "hops", hops);
        silent = List.copyOf(silent);
    }

    /** Agents that always answer. */
    public DecentralisedSettings(double minutesOld, boolean ownJobs, Arrival arrival, int hops) {
        this(minutesOld, ownJobs, arrival, hops, List.of());
    }
}
