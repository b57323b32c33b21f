package org.trainyard.agents.learned.policy;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.topology.Topology;

/**
 * The setting in which the agents of a policy act.
 *
 * @param topology as the agents believe it to be
 * @param preemption whether agents may preempt running jobs
 * @param belief the interference model of the agents, not that of the simulator
 * @param observesPairs whether agents correct the belief during a run by the jobs that they see share a GPU
 * @param apart what agents see that decide apart; null for agents that see the whole cluster and meet in one auction
 * @param workers on which agents that decide apart do so at the same time
 */
public record Deployment(
        Topology topology,
        Domains domains,
        boolean preemption,
        InterferenceModel belief,
        boolean observesPairs,
        @Nullable DecentralisedSettings apart,
        DecentralisedAgents.Workers workers) {
    /** Agents that see the whole cluster. */
    public Deployment(
            Topology topology, Domains domains, boolean preemption, InterferenceModel belief, boolean observesPairs) {
        this(topology, domains, preemption, belief, observesPairs, null, DecentralisedAgents.Workers.SEQUENTIAL);
    }

    /** Agents that only believe. */
    public Deployment(Topology topology, Domains domains, boolean preemption, InterferenceModel belief) {
        this(topology, domains, preemption, belief, false);
    }

    /** Returns this deployment with agents that decide apart; null for agents that do not. */
    public Deployment apart(@Nullable DecentralisedSettings settings, DecentralisedAgents.Workers itsWorkers) {
        return new Deployment(topology, domains, preemption, belief, observesPairs, settings, itsWorkers);
    }

    /** The belief for one run: one of its own, where it learns during the run. */
    public InterferenceModel beliefOfRun() {
        return observesPairs ? new ObservedPairs(belief) : belief;
    }
}
