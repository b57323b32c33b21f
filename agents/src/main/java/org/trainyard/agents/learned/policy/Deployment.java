package org.trainyard.agents.learned.policy;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.topology.Topology;

/**
 * The setting in which the agents of a policy act.
 *
 * @param domains one agent each
 * @param window pending jobs in an observation; null where only policies act that observe no rows
 * @param maxHops upper limit on forwards of a job; null where only policies act that do not forward
 * @param preemption whether agents may preempt running jobs
 * @param belief the interference model of the agents, not that of the simulator
 * @param observesPairs whether agents correct the belief during a run by the jobs that they see share a GPU
 */
public record Deployment(
        Topology topology,
        Domains domains,
        @Nullable Integer window,
        @Nullable Integer maxHops,
        boolean preemption,
        InterferenceModel belief,
        boolean observesPairs) {
    /** Agents that only believe. */
    public Deployment(
            Topology topology,
            Domains domains,
            @Nullable Integer window,
            @Nullable Integer maxHops,
            boolean preemption,
            InterferenceModel belief) {
        this(topology, domains, window, maxHops, preemption, belief, false);
    }

    /** The belief for one run: one of its own, where it learns during the run. */
    public InterferenceModel beliefOfRun() {
        return observesPairs ? new ObservedPairs(belief) : belief;
    }

    /** The window, for a policy that observes rows. */
    int requireWindow() {
        return require("environment.window", window);
    }

    /** The limit on forwards, for a policy that forwards. */
    int requireMaxHops() {
        return require("environment.max_hops", maxHops);
    }

    private static int require(String key, @Nullable Integer value) {
        if (value == null) {
            throw new InputException(
                    "%s: is null, but this policy observes rows and reads it: expected a value".formatted(key));
        }
        return value;
    }
}
